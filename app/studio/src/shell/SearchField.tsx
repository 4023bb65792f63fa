import { TextInput, type TextInputProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Search } from "lucide-react";
import { useState } from "react";

const SOON_MS = 250;

interface Sought {
  readonly text: string; // as it is typed
  readonly query: string; // without blanks at its ends, once nothing was typed for a moment
  readonly setText: (text: string) => void;
}

/** Return what is typed to narrow a list, and what the list is to be narrowed by. */
export function useSought(): Sought {
  const [text, setText] = useState("");
  const [query] = useDebouncedValue(text.trim(), SOON_MS);
  return { text, query, setText };
}

interface SearchFieldProps extends Pick<TextInputProps, "flex" | "maw" | "mb"> {
  readonly label: string;
  readonly sought: Sought;
}

/** The field of a text that narrows a list. */
export function SearchField({ label, sought: { text, setText }, ...layout }: SearchFieldProps) {
  return (
    <TextInput
      {...layout}
      aria-label={label}
      placeholder={label}
      leftSection={<Search size={15} aria-hidden />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}
