import { createBrowserRouter, type RouteObject } from "react-router";
import { NotFound } from "./NotFound";
import { PageFailed } from "./PageFailed";
import { SignedIn } from "./SignedIn";

/** The pages by their addresses; each is loaded when it is opened. */
const PAGES: RouteObject[] = [
  { index: true, lazy: async () => ({ Component: (await import("../home/HomePage")).HomePage }) },
  {
    path: "memories",
    lazy: async () => ({ Component: (await import("../memories/MemoriesPage")).MemoriesPage }),
  },
  {
    path: "chat",
    lazy: async () => ({ Component: (await import("../chat/ChatPage")).ChatPage }),
  },
  {
    path: "conversations",
    lazy: async () => ({
      Component: (await import("../conversations/ConversationsPage")).ConversationsPage,
    }),
  },
  {
    path: "playground",
    lazy: async () => ({ Component: (await import("../playground/PlaygroundPage")).PlaygroundPage }),
  },
  { path: "graph", lazy: async () => ({ Component: (await import("../graph/GraphPage")).GraphPage }) },
  {
    path: "knowledge",
    lazy: async () => ({ Component: (await import("../knowledge/KnowledgePage")).KnowledgePage }),
  },
  {
    path: "changes",
    lazy: async () => ({ Component: (await import("../changes/ChangesPage")).ChangesPage }),
  },
  { path: "agents", lazy: async () => ({ Component: (await import("../agents/AgentsPage")).AgentsPage }) },
  { path: "engine", lazy: async () => ({ Component: (await import("../engine/EnginePage")).EnginePage }) },
  {
    path: "settings",
    lazy: async () => ({ Component: (await import("../settings/SettingsPage")).SettingsPage }),
  },
  { path: "*", Component: NotFound },
];

export const router = createBrowserRouter(
  [
    {
      path: "/",
      Component: SignedIn,
      ErrorBoundary: PageFailed,
      HydrateFallback: () => null,
      children: PAGES.map((page) => ({ ...page, ErrorBoundary: PageFailed })),
    },
  ],
  { basename: "/studio" },
);
