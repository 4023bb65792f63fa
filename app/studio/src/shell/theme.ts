import { createTheme, type MantineColorsTuple } from "@mantine/core";

const accent: MantineColorsTuple = [
  "#f0f1ff",
  "#dfe1fb",
  "#bcc0f1",
  "#979de8",
  "#777ee0",
  "#636bda",
  "#565fd3",
  "#4b53bc",
  "#4049a8",
  "#343d95",
];

const dark: MantineColorsTuple = [
  "#e6e6ec",
  "#b4b4c0",
  "#9d9daa",
  "#6b6b78",
  "#3c3c47",
  "#2b2b33",
  "#222229",
  "#17171c",
  "#121216",
  "#0c0c0f",
];

const gray: MantineColorsTuple = [
  "#fafafb",
  "#f4f4f6",
  "#ebebef",
  "#dfdfe5",
  "#cdcdd6",
  "#aeaebb",
  "#7d7d8c",
  "#5b5b68",
  "#3a3a45",
  "#22222a",
];

export const theme = createTheme({
  primaryColor: "accent",
  primaryShade: { light: 7, dark: 6 },
  colors: { accent, dark, gray },
  black: "#1b1b21",
  defaultRadius: "md",
  autoContrast: true,
  cursorType: "pointer",
  fontFamily:
    'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans SC", "PingFang SC", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  headings: {
    fontWeight: "600",
    sizes: { h1: { fontSize: "1.25rem", lineHeight: "1.4" }, h2: { fontSize: "1rem", lineHeight: "1.4" } },
  },
  components: {
    Alert: { styles: { title: { color: "var(--mantine-color-text)" } } },
    Button: { defaultProps: { size: "sm" } },
    TextInput: { defaultProps: { size: "sm" } },
    Textarea: { defaultProps: { size: "sm" } },
    Select: { defaultProps: { size: "sm" } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.45 }, radius: "lg" } },
  },
});
