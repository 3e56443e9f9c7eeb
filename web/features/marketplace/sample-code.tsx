import { ScrollArea } from '@mantine/core';
import { jsonTokens } from '#web/features/marketplace/json-tokens.ts';
import classes from '#web/features/marketplace/sample-code.module.css';

/** JSON in colours. Long lines scroll, by keyboard too. */
export function SampleCode({ text, label }: { text: string; label: string }) {
  return (
    <ScrollArea
      className={classes.code}
      type="auto"
      data-code
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
    >
      <pre>
        {jsonTokens(text).map(({ text: piece, kind, at }) => (
          <span key={at} data-kind={kind}>
            {piece}
          </span>
        ))}
      </pre>
    </ScrollArea>
  );
}
