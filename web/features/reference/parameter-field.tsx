import { NativeSelect, TextInput } from '@mantine/core';
import { headerName } from '#web/features/reference/api-request.ts';
import type { ApiDescription } from '#web/features/reference/api-description.ts';
import type { OperationParameter } from '#web/features/reference/parameters.ts';
import { InlineProse } from '#web/features/reference/prose.tsx';
import { limitsOf, typeText } from '#web/features/reference/schema-fields.ts';
import { referenceTexts as texts } from '#web/features/reference/texts.ts';
import classes from '#web/features/reference/try-call.module.css';

interface ParameterFieldProps {
  description: ApiDescription;
  parameter: OperationParameter;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** A parameter as a form field: its name, kind and limits, with its description below. */
export function ParameterField({ description, parameter, value, error, onChange }: ParameterFieldProps) {
  const { name, required, schema, example } = parameter;
  const type = typeText(description, schema);
  // A pattern is hard to read: it is left out when there is a description.
  const limits = limitsOf(parameter.description === undefined ? schema : { ...schema, pattern: undefined });
  const facts = [type, ...limits, parameter.in === 'header' ? texts.header.toLowerCase() : undefined].filter(Boolean);
  const choices =
    (schema.values && [...new Set(schema.values.map(String))]) ?? (type === 'boolean' ? ['true', 'false'] : undefined);
  const shared = {
    label: (
      <span className={classes.label}>
        <span className="mono">{parameter.in === 'header' ? headerName(name) : name}</span>
        <small>{facts.join(', ')}</small>
        <small>{required ? texts.required : texts.optional}</small>
        {parameter.deprecated ? <small>{texts.deprecated}</small> : null}
      </span>
    ),
    description: parameter.description === undefined ? undefined : <InlineProse text={parameter.description} />,
    value,
    error,
    'aria-required': required,
  };
  if (choices !== undefined) {
    return (
      <NativeSelect
        {...shared}
        data={[...(required ? [] : [{ value: '', label: texts.leaveOut }]), ...choices]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      placeholder={example}
      inputMode={type === 'integer' ? 'numeric' : type === 'number' ? 'decimal' : undefined}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
