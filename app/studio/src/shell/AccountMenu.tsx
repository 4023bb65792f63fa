import { ActionIcon, Menu, Text, useMantineColorScheme, type MantineColorScheme } from "@mantine/core";
import { Check, Languages, LogOut, Monitor, Moon, Sun, UserRound } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { changeLanguage, LANGUAGES, type Language } from "../i18n";
import { useAccount } from "../server/account";
import { signOut } from "./signOut";

const SCHEMES = { auto: Monitor, light: Sun, dark: Moon } as const;

/** Whose session this is; colours, language, and the way out. */
export function AccountMenu() {
  const { t, i18n } = useTranslation();
  const { name } = useAccount();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const form = useRef<HTMLFormElement>(null);
  const leave = () => {
    if (form.current !== null) signOut(form.current);
  };
  const chosen = <Check size={14} aria-hidden />;

  return (
    <>
      <form ref={form} method="post" action="/sign-out" />
      <Menu position="top-end" width={220} withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" aria-label={t("account.menu")}>
            <UserRound size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Text size="xs" truncate>
              {name}
            </Text>
          </Menu.Label>
          <Menu.Divider />
          <Menu.Label>{t("account.colours")}</Menu.Label>
          {(Object.keys(SCHEMES) as MantineColorScheme[]).map((scheme) => {
            const Icon = SCHEMES[scheme];
            return (
              <Menu.Item
                key={scheme}
                leftSection={<Icon size={14} aria-hidden />}
                rightSection={colorScheme === scheme && chosen}
                onClick={() => setColorScheme(scheme)}
              >
                {t(`account.${scheme}`)}
              </Menu.Item>
            );
          })}
          <Menu.Divider />
          <Menu.Label>{t("account.language")}</Menu.Label>
          {(Object.keys(LANGUAGES) as Language[]).map((language) => (
            <Menu.Item
              key={language}
              lang={language}
              leftSection={<Languages size={14} aria-hidden />}
              rightSection={i18n.language === language && chosen}
              onClick={() => void changeLanguage(language)}
            >
              {LANGUAGES[language]}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<LogOut size={14} aria-hidden />} onClick={leave}>
            {t("account.signOut")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
