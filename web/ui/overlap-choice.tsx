import { Radio } from '@mantine/core';
import classes from './overlap-choice.module.css';

interface OverlapChoiceProps {
  label: string;
  choices: readonly { hours: number; label: string }[];
  hours: number;
  onChange: (hours: number) => void;
}

/** For how many hours what is replaced goes on beside its successor. */
export function OverlapChoice({ label, choices, hours, onChange }: OverlapChoiceProps) {
  return (
    <Radio.Group label={label} value={String(hours)} onChange={(value) => onChange(Number(value))} mt={16}>
      <div className={classes.choices}>
        {choices.map((choice) => (
          <Radio
            key={choice.hours}
            value={String(choice.hours)}
            label={choice.label}
            data-autofocus={choice.hours === hours || undefined}
          />
        ))}
      </div>
    </Radio.Group>
  );
}
