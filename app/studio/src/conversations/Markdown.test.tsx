import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Markdown } from "./Markdown";

const shown = (text: string) =>
  renderToStaticMarkup(
    <MantineProvider>
      <Markdown text={text} />
    </MantineProvider>,
  );

describe("links of a text", () => {
  it.each([
    "[here](javascript:alert(1))",
    "[here](JavaScript:alert(1))",
    "[here](java&#x0a;script:alert(1))",
    "[here](vbscript:x)",
    "[here](data:text/html,x)",
    "[here](file:///etc/passwd)",
    "[here](/studio/settings)",
    "[here](src/main.ts)",
    "[here]()",
    "![here](javascript:alert(1))",
    "<javascript:here>",
  ])("that lead to no other site are text: %s", (text) => {
    const html = shown(text);

    expect(html).toContain("here");
    expect(html).not.toMatch(/<a[\s>]/);
  });

  it.each(["https://example.com/a", "http://example.com", "mailto:ada@example.com"])(
    "lead to other sites in a page of their own: %s",
    (address) => {
      const html = shown(`[here](${address})`);

      expect(html).toContain(`href="${address}"`);
      expect(html).toContain('rel="noopener noreferrer"');
    },
  );

  it("are the same for pictures, which are not loaded", () => {
    const html = shown("![a map](https://example.com/map.png)");

    expect(html).toContain('href="https://example.com/map.png"');
    expect(html).not.toContain("<img");
  });

  it("cannot be written as HTML", () => {
    expect(shown('<a href="javascript:alert(1)">here</a> <script>alert(1)</script>')).not.toMatch(
      /<(a|script)[\s>]/,
    );
  });
});
