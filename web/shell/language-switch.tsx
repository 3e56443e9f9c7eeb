import { Button, type ButtonProps } from '@mantine/core';
import { Languages } from 'lucide-react';
import { chooseLanguage } from '#web/language/language.ts';
import { useLanguage } from '#web/language/use-language.ts';
import { shellTexts as texts } from '#web/shell/texts.ts';
import { notifyFailure } from '#web/ui/notify.tsx';

/** Leads to the other language. What is typed on the page stays. */
export function LanguageSwitch(button: ButtonProps) {
  const language = useLanguage();
  const { word, name, lang } = texts.otherLanguage[language];
  const choose = () => chooseLanguage(language === 'hi' ? 'en' : 'hi').catch(() => notifyFailure(texts.languageFailed));
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
      {word}
    </Button>
  );
}
