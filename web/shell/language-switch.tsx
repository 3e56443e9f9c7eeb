import { ActionIcon, Button, type ButtonProps } from '@mantine/core';
import { Languages } from 'lucide-react';
import { chooseLanguage } from '#web/language/language.ts';
import { useLanguage } from '#web/language/use-language.ts';
import { HindiWord } from '#web/shell/hindi-word.tsx';
import { shellTexts as texts } from '#web/shell/texts.ts';
import { notifyFailure, tellOutcome } from '#web/ui/notify.tsx';

const action = 'choose a language';

/** The other language, in its own script, and the switch to it. Typed input stays. */
export function useOtherLanguage() {
  const language = useLanguage();
  const choose = () =>
    chooseLanguage(language === 'hi' ? 'en' : 'hi').then(
      () => tellOutcome(action, () => {}),
      () => notifyFailure(texts.languageFailed, undefined, action),
    );
  return { ...texts.otherLanguage[language], choose };
}

/** Leads to the other language, by its name. */
export function LanguageSwitch(button: ButtonProps) {
  const { word, name, lang, choose } = useOtherLanguage();
  return (
    <Button
      variant="subtle"
      color="gray"
      size="sm"
      leftSection={<Languages size={16} />}
      {...button}
      lang={lang}
      aria-label={name}
      onClick={() => void choose()}
    >
      {lang === 'hi' ? <HindiWord height={16} /> : word}
    </Button>
  );
}

/** The same where there is little room. */
export function LanguageIcon({ className }: { className?: string | undefined }) {
  const { name, lang, choose } = useOtherLanguage();
  return (
    <ActionIcon className={className ?? ''} lang={lang} aria-label={name} title={name} onClick={() => void choose()}>
      <Languages size={18} />
    </ActionIcon>
  );
}
