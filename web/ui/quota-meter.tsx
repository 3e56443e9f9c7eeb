import { Progress } from '@mantine/core';
import { formatNumber } from '#shared/domain/number-text.ts';
import { type QuotaLevel, quotaLevel, quotaPercent } from '#web/ui/quota-meter-level.ts';
import classes from '#web/ui/quota-meter.module.css';
import { uiTexts as texts } from '#web/ui/texts.ts';

const colors: Record<QuotaLevel, string> = { calm: 'var(--p-meter)', warn: 'var(--p-warn)', danger: 'var(--p-danger)' };
const steps = [0, 20, 40, 60, 80, 100];

interface QuotaMeterProps {
  used: number;
  limit: number;
  /** Its accessible name: 'Daily quota'. */
  label: string;
  /** For cards and lists. */
  small?: boolean;
  /** Writes 0 to 100 % below. */
  scale?: boolean;
}

/** A quota in five segments, amber from 60 %, red from 80 % (product §7.2). */
export function QuotaMeter({ used, limit, label, small = false, scale = false }: QuotaMeterProps) {
  const percent = quotaPercent(used, limit);
  return (
    <div>
      <Progress.Root className={classes.track} data-small={small || undefined}>
        <Progress.Section
          className={classes.fill}
          value={percent}
          color={colors[quotaLevel(used, limit)]}
          aria-label={label}
          aria-valuetext={texts.ofRequests(formatNumber(used), formatNumber(limit))}
        />
      </Progress.Root>
      {scale && (
        <div className={classes.scale} aria-hidden="true">
          {steps.map((step) => (
            <span key={step} style={{ left: `${step}%` }}>
              {step === 0 ? '0' : `${step}%`}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}
