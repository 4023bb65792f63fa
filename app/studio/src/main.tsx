import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./shell/base.css";
import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router";
import { Provider } from "urql";
import { startLanguages } from "./i18n";
import { client } from "./server/client";
import { router } from "./shell/routes";
import { theme } from "./shell/theme";

const nonce = document.querySelector<HTMLElement>("meta[property=csp-nonce]")?.nonce ?? "";
Object.assign(globalThis, { __webpack_nonce__: nonce }); // read by what keeps the page still behind a dialog
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no #root");

await startLanguages();
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={localStorageColorSchemeManager({ key: "recollect.colours" })}
      getStyleNonce={() => nonce}
    >
      <Notifications position="bottom-right" limit={4} />
      <Provider value={client}>
        <RouterProvider router={router} />
      </Provider>
    </MantineProvider>
  </StrictMode>,
);
