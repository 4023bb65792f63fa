import { Collapse, Group, Text, UnstyledButton } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import classes from "./memories.module.css";

const STEPS = ["save", "understand", "recall"] as const;

/** What happens to a memory, in three steps; stays closed once it was closed. */
export function HowItWorks() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useLocalStorage({ key: "recollect.howItWorks", defaultValue: false });
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <section className="card">
      <UnstyledButton className={classes.howItWorks} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Group gap={10}>
          <Chevron size={16} aria-hidden />
          <Text size="sm" fw={500}>
            {t("howItWorks.title")}
          </Text>
        </Group>
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        <div className={classes.steps}>
          {STEPS.map((step, index) => (
            <div key={step}>
              <Text size="sm" fw={600}>
                {index + 1}. {t(`howItWorks.${step}`)}
              </Text>
              <Text size="sm" c="dimmed">
                {t(`howItWorks.${step}Text`)}
              </Text>
            </div>
          ))}
        </div>
      </Collapse>
    </section>
  );
}
