import { ActionIcon, Button, type ButtonProps } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { type Ref, useEffect, useRef, useState } from 'react';
import { copyText } from '#web/ui/copy-button-clipboard.ts';
import { uiTexts as texts } from '#web/ui/texts.ts';

/** The confirmation lasts 2 seconds (product §5.2). */
const copiedMs = 2000;

function useCopy(value: string, onCopied?: () => void) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const timer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const show = (next: 'copied' | 'failed') => {
    setState(next);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setState('idle'), copiedMs);
  };
  const copy = async () => {
    try {
      await copyText(value);
      show('copied');
      onCopied?.();
    } catch {
      show('failed');
    }
  };
  return { state, copy };
}

interface CopyButtonProps extends ButtonProps {
  value: string;
  label?: string;
  onCopied?: () => void;
  /** The main thing to do on its page. */
  primary?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** A button that copies `value` and says 'Copied!' for 2 seconds. */
export function CopyButton({ value, label = texts.copy, onCopied, primary = false, ...button }: CopyButtonProps) {
  const { state, copy } = useCopy(value, onCopied);
  const text = { idle: label, copied: texts.copied, failed: texts.copyFailed }[state];
  return (
    <Button
      variant={primary ? 'filled' : 'default'}
      size="sm"
      miw={96}
      leftSection={state === 'copied' ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      onClick={() => void copy()}
      {...(!primary && { c: state === 'copied' ? 'var(--p-accent-text)' : 'var(--p-text)' })}
      {...button}
    >
      <span aria-live="polite">{text}</span>
    </Button>
  );
}

/** The same as a small icon beside an id. */
export function CopyIcon({ value }: { value: string }) {
  const { state, copy } = useCopy(value);
  const text = { idle: texts.copyValue(value), copied: texts.copied, failed: texts.copyFailed }[state];
  return (
    <ActionIcon
      size={24}
      aria-label={text}
      title={text}
      onClick={() => void copy()}
      c={state === 'copied' ? 'var(--p-accent-text)' : 'dimmed'}
    >
      {state === 'copied' ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
    </ActionIcon>
  );
}
