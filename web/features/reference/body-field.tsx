import { NativeSelect, Textarea } from '@mantine/core';
import type { Content } from '#web/features/reference/operations.ts';
import { referenceTexts, tryTexts as texts } from '#web/features/reference/texts.ts';
import classes from '#web/features/reference/try-call.module.css';

interface BodyFieldProps {
  content: Content;
  value: string;
  fault: string | undefined;
  onChange: (value: string) => void;
}

/** The body to be sent, begun with one of the document's examples. */
export function BodyField({ content, value, fault, onChange }: BodyFieldProps) {
  const bodies = content.examples.map(({ name, value: example }) => ({ name, text: JSON.stringify(example, null, 2) }));
  const chosen = bodies.findIndex(({ text }) => text === value);
  return (
    <>
      {bodies.length < 2 ? null : (
        <NativeSelect
          label={referenceTexts.examples}
          value={String(chosen)}
          data={[
            ...(chosen === -1 ? [{ value: '-1', label: '' }] : []),
            ...bodies.map(({ name }, index) => ({ value: String(index), label: referenceTexts.exampleNo(name) })),
          ]}
          onChange={(event) => onChange(bodies[Number(event.currentTarget.value)]?.text ?? value)}
        />
      )}
      <Textarea
        label={
          <span className={classes.label}>
            {referenceTexts.body}
            <small>{content.mediaType}</small>
          </span>
        }
        classNames={{ input: classes.bodyInput ?? '' }}
        value={value}
        error={fault === undefined ? undefined : texts.badJson(fault)}
        autosize
        minRows={5}
        maxRows={20}
        spellCheck={false}
        autoComplete="off"
        wrap="off"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </>
  );
}
