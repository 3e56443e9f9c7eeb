import { useMemo } from 'react';
import { FileInput, NativeSelect, Textarea } from '@mantine/core';
import type { ApiDescription } from '#web/features/reference/api-description.ts';
import { type FormValues, fieldKey, wholeBody } from '#web/features/reference/api-request.ts';
import { type Content, exampleText } from '#web/features/reference/content.ts';
import { Shortened } from '#web/features/reference/example-code.tsx';
import { FormPartField } from '#web/features/reference/form-part-field.tsx';
import { referenceTexts, tryTexts as texts } from '#web/features/reference/texts.ts';
import classes from '#web/features/reference/try-call.module.css';

interface BodyFieldProps {
  description: ApiDescription;
  content: Content;
  values: FormValues;
  /** Empty fields that are needed are marked. */
  asked: boolean;
  fault: string | undefined;
  onChange: (values: FormValues) => void;
}

/** The body to be sent: a text begun with one of the document's examples, a form, or a file. */
export function BodyField({ description, content, values, asked, fault, onChange }: BodyFieldProps) {
  const { files = {} } = values;
  const setFile = (name: string, file: File | undefined) => {
    const others = Object.fromEntries(Object.entries(files).filter(([each]) => each !== name));
    onChange({ ...values, files: file === undefined ? others : { ...others, [name]: file } });
  };
  if (content.kind === 'file') {
    const missing = asked && files[wholeBody] === undefined ? texts.missing : undefined;
    return (
      <FileInput
        label={<BodyLabel content={content} />}
        value={files[wholeBody] ?? null}
        placeholder={texts.chooseFile}
        error={missing}
        clearable
        onChange={(file) => setFile(wholeBody, file ?? undefined)}
      />
    );
  }
  if (content.kind !== 'form' && content.kind !== 'multipart')
    return (
      <TextBody
        content={content}
        value={values.body}
        fault={fault}
        onChange={(body) => onChange({ ...values, body })}
      />
    );
  return content.parts.map((part) => {
    const key = fieldKey('body', part.name);
    const value = values.parameters[key] ?? '';
    const isEmpty = part.isFile ? files[part.name] === undefined : value.trim() === '';
    return (
      <FormPartField
        key={key}
        description={description}
        part={part}
        value={value}
        file={files[part.name]}
        error={asked && part.required && isEmpty ? texts.missing : undefined}
        onChange={(typed) => onChange({ ...values, parameters: { ...values.parameters, [key]: typed } })}
        onFile={(file) => setFile(part.name, file)}
      />
    );
  });
}

function BodyLabel({ content }: { content: Content }) {
  return (
    <span className={classes.label}>
      {referenceTexts.body}
      <small>{content.mediaType}</small>
    </span>
  );
}

interface TextBodyProps {
  content: Content;
  value: string;
  fault: string | undefined;
  onChange: (value: string) => void;
}

function TextBody({ content, value, fault, onChange }: TextBodyProps) {
  const bodies = useMemo(
    () => content.examples().map((example) => ({ example, text: exampleText(content, example.value) })),
    [content],
  );
  const chosen = bodies.findIndex(({ text }) => text === value);
  return (
    <>
      {bodies.length < 2 ? null : (
        <NativeSelect
          label={referenceTexts.examples}
          value={String(chosen)}
          data={[
            ...(chosen === -1 ? [{ value: '-1', label: '' }] : []),
            ...bodies.map(({ example }, index) => ({
              value: String(index),
              label: referenceTexts.exampleNo(example.name),
            })),
          ]}
          onChange={(event) => onChange(bodies[Number(event.currentTarget.value)]?.text ?? value)}
        />
      )}
      <Textarea
        label={<BodyLabel content={content} />}
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
      <Shortened example={bodies[chosen]?.example} />
    </>
  );
}
