import { FileInput, NativeSelect, TextInput } from '@mantine/core';
import type { FormPart } from '#web/features/reference/content.ts';
import type { ApiDescription } from '#web/features/reference/api-description.ts';
import { InlineProse } from '#web/features/reference/prose.tsx';
import { limitsOf, typeText } from '#web/features/reference/schema-fields.ts';
import { referenceTexts as texts, tryTexts } from '#web/features/reference/texts.ts';
import classes from '#web/features/reference/try-call.module.css';

interface FormPartFieldProps {
  description: ApiDescription;
  part: FormPart;
  value: string;
  file: File | undefined;
  error: string | undefined;
  onChange: (value: string) => void;
  onFile: (file: File | undefined) => void;
}

/** A field of a form body: a text, a choice, or a file. */
export function FormPartField({ description, part, value, file, error, onChange, onFile }: FormPartFieldProps) {
  const { name, required, isFile, schema, example } = part;
  const facts = isFile ? [tryTexts.file] : [typeText(description, schema), ...limitsOf(schema)];
  const shared = {
    label: (
      <span className={classes.label}>
        <span className="mono">{name}</span>
        <small>{facts.join(', ')}</small>
        <small>{required ? texts.required : texts.optional}</small>
      </span>
    ),
    description: schema.description === undefined ? undefined : <InlineProse text={schema.description} />,
    error,
    'aria-required': required,
  };
  if (isFile) {
    return (
      <FileInput
        {...shared}
        value={file ?? null}
        placeholder={tryTexts.chooseFile}
        clearable
        onChange={(chosen) => onFile(chosen ?? undefined)}
      />
    );
  }
  if (schema.values !== undefined) {
    return (
      <NativeSelect
        {...shared}
        value={value}
        data={[...(required ? [] : [{ value: '', label: texts.leaveOut }]), ...new Set(schema.values.map(String))]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      value={value}
      placeholder={example}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
