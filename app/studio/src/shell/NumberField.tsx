import { NumberInput, type NumberInputProps } from "@mantine/core";
import { useRef, useState } from "react";
import { numberIn } from "./numberIn";

interface NumberFieldProps extends Omit<NumberInputProps, "value" | "onChange" | "min" | "max"> {
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly onChange: (value: number) => void;
}

/** A number that is typed: its text stays as it is while it has the focus, and only numbers within the bounds count. */
export function NumberField({ value, min, max, onChange, ...input }: NumberFieldProps) {
  const [typed, setTyped] = useState<string | number>();
  const isTyping = useRef(false);
  return (
    <NumberInput
      {...input}
      value={typed ?? value}
      min={min}
      max={max}
      clampBehavior="none"
      onFocus={() => {
        isTyping.current = true;
      }}
      onBlur={() => {
        isTyping.current = false;
        setTyped(undefined);
      }}
      onChange={(now) => {
        if (isTyping.current) setTyped(now);
        const number = numberIn(now, min, max);
        if (number !== undefined && number !== value) onChange(number);
      }}
    />
  );
}
