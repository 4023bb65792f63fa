import {
  Badge,
  Button,
  Group,
  Kbd,
  MultiSelect,
  Popover,
  Select,
  Stack,
  TagsInput,
  TextInput,
} from "@mantine/core";
import { useDebouncedCallback, useDisclosure, useHotkeys } from "@mantine/hooks";
import { ListFilter, Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { NumberField } from "../shell/NumberField";
import { countFilters, type Filters, KINDS, NO_FILTERS, ORDERS, TYPES } from "./filters";
import classes from "./memories.module.css";
import { SOURCES } from "./sources";

const DEBOUNCE_MS = 300;

interface FilterBarProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

/** What the list is narrowed to and in which order it stands. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.filters}>
      <SearchField filters={filters} onChange={onChange} />
      <MultiSelect
        className={classes.types}
        aria-label={t("memories.type")}
        placeholder={filters.types.length === 0 ? t("memories.allTypes") : undefined}
        data={TYPES.map((type) => ({ value: type, label: t(`type.${type}`) }))}
        value={[...filters.types]}
        onChange={(types) => onChange({ ...filters, types: TYPES.filter((type) => types.includes(type)) })}
        clearable
      />
      <MoreFilters filters={filters} onChange={onChange} />
      <Select
        className={classes.order}
        aria-label={t("memories.order")}
        data={ORDERS.map((order) => ({ value: order, label: t(`order.${order}`) }))}
        value={filters.order}
        onChange={(order) =>
          onChange({ ...filters, order: ORDERS.find((each) => each === order) ?? NO_FILTERS.order })
        }
        allowDeselect={false}
      />
    </div>
  );
}

function SearchField({ filters, onChange }: FilterBarProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(filters.text);
  const sent = useRef(filters.text);
  const search = useDebouncedCallback((typed: string) => {
    sent.current = typed;
    onChange({ ...filters, text: typed });
  }, DEBOUNCE_MS);
  useEffect(() => {
    if (filters.text === sent.current) return; // it comes from this very field
    sent.current = filters.text;
    setText(filters.text);
  }, [filters.text]);
  useHotkeys([["/", () => field.current?.focus()]]);
  return (
    <TextInput
      ref={field}
      className={classes.search}
      type="search"
      aria-label={t("memories.search")}
      placeholder={t("memories.search")}
      leftSection={<Search size={15} aria-hidden />}
      rightSection={<Kbd size="xs">/</Kbd>}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}

function MoreFilters({ filters, onChange }: FilterBarProps) {
  const { t } = useTranslation();
  const [opened, { toggle, close }] = useDisclosure(false);
  const count = countFilters(filters);
  return (
    <Popover
      opened={opened}
      onDismiss={close}
      position="bottom-end"
      width={320}
      trapFocus
      withinPortal
      shadow="md"
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<ListFilter size={15} aria-hidden />}
          rightSection={
            count > 0 && (
              <Badge size="sm" circle>
                {count}
              </Badge>
            )
          }
          onClick={toggle}
        >
          {t("memories.filters")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <TagsInput
            label={t("memories.tags")}
            description={t("memories.tagsHint")}
            value={[...filters.tags]}
            onChange={(tags) => onChange({ ...filters, tags })}
          />
          <MultiSelect
            label={t("memories.kind")}
            data={KINDS.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))}
            value={[...filters.kinds]}
            onChange={(kinds) =>
              onChange({ ...filters, kinds: KINDS.filter((kind) => kinds.includes(kind)) })
            }
            comboboxProps={{ withinPortal: false }}
          />
          <MultiSelect
            label={t("memories.source")}
            data={SOURCES.map((source) => ({ value: source, label: t(`source.${source}`) }))}
            value={[...filters.sources]}
            onChange={(sources) => onChange({ ...filters, sources })}
            comboboxProps={{ withinPortal: false }}
          />
          <NumberField
            label={t("memories.minImportance")}
            value={filters.minImportance}
            min={0}
            max={1}
            step={0.1}
            decimalScale={2}
            onChange={(minImportance) => onChange({ ...filters, minImportance })}
          />
          <Group grow>
            <TextInput
              type="date"
              label={t("memories.since")}
              value={filters.since}
              onChange={(event) => onChange({ ...filters, since: event.currentTarget.value })}
            />
            <TextInput
              type="date"
              label={t("memories.until")}
              value={filters.until}
              onChange={(event) => onChange({ ...filters, until: event.currentTarget.value })}
            />
          </Group>
          <Group justify="space-between">
            <Button
              variant="subtle"
              disabled={count === 0}
              onClick={() =>
                onChange({ ...NO_FILTERS, text: filters.text, types: filters.types, order: filters.order })
              }
            >
              {t("memories.clearFilters")}
            </Button>
            <Button variant="default" onClick={close}>
              {t("shell.close")}
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
