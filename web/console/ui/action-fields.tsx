import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type ActionField, tickedIn } from '#web/console/ui/action.ts';
import classes from '#web/console/ui/action-dialog.module.css';
import { DayInput } from '#web/forms/day-input.tsx';

/** The fields of an action. */
export function ActionFields({
  fields,
  values,
  onChange,
}: {
  fields: readonly ActionField[];
  values: Readonly<Record<string, string>>;
  onChange: (name: string, value: string) => void;
}) {
  return fields.map((field, index) => {
    const { name, label, kind, hint, choices = [] } = field;
    const value = values[name] ?? '';
    const shared = {
      label: field.isOptional === true ? `${label} (optional)` : label,
      ...(hint !== undefined && { description: hint }),
      ...(index === 0 && { 'data-autofocus': true }),
      className: classes.field ?? '',
    };
    const change = (next: string) => onChange(name, next);
    if (kind === 'day') return <DayInput key={name} {...shared} value={value} onChange={change} />;
    if (kind === 'tick')
      return (
        <Checkbox
          key={name}
          {...shared}
          checked={value === 'yes'}
          onChange={({ currentTarget }) => change(currentTarget.checked ? 'yes' : '')}
        />
      );
    if (kind === 'ticks')
      return (
        <Checkbox.Group key={name} {...shared} value={tickedIn(value)} onChange={(chosen) => change(chosen.join(' '))}>
          {choices.map((choice) => (
            <Checkbox key={choice.value} value={choice.value} label={choice.label} description={choice.hint} mt={8} />
          ))}
        </Checkbox.Group>
      );
    if (kind === 'choice')
      return (
        <NativeSelect
          key={name}
          {...shared}
          data={choices.map((choice) => ({ value: choice.value, label: choice.label }))}
          value={value}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      );
    if (kind === 'file' || kind === 'text')
      return (
        <Textarea
          key={name}
          {...shared}
          {...(kind === 'file' ? { classNames: { input: 'mono' }, rows: 16, spellCheck: false } : { rows: 6 })}
          value={value}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      );
    return (
      <TextInput
        key={name}
        {...shared}
        {...(kind === 'number' && { inputMode: 'decimal' as const })}
        value={value}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
    );
  });
}
