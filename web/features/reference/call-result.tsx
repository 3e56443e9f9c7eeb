import { Alert, Button } from '@mantine/core';
import { CircleAlert, Download } from 'lucide-react';
import { formatNumber } from '#shared/domain/number-text.ts';
import { CallAdvice } from '#web/features/reference/call-advice.tsx';
import { outcomeOf } from '#web/features/reference/call-outcome.ts';
import classes from '#web/features/reference/call-result.module.css';
import type { CallAnswer, Tried } from '#web/features/reference/send-call.ts';
import { tryTexts as texts } from '#web/features/reference/texts.ts';
import { SampleCode } from '#web/features/marketplace/sample-code.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { type Fact, Facts } from '#web/ui/facts.tsx';
import { saveBlob } from '#web/ui/save-file.ts';

interface CallResultProps {
  productId: string;
  tried: Tried | undefined;
  savesAs: string | null;
}

/** The response: status, duration, whether it was counted, remaining quota, headers and body. */
export function CallResult({ productId, tried, savesAs }: CallResultProps) {
  return (
    <div aria-live="polite">
      {tried === undefined ? null : 'failure' in tried ? (
        <Alert
          color="red"
          icon={<CircleAlert size={18} />}
          title={tried.failure.timedOut ? texts.tooSlow : texts.noAnswer}
        >
          {texts.noAnswerMore}
        </Alert>
      ) : (
        <Answer productId={productId} answer={tried.answer} savesAs={savesAs} />
      )}
    </div>
  );
}

function Answer({ productId, answer, savesAs }: { productId: string; answer: CallAnswer; savesAs: string | null }) {
  const { status, statusText, headers, tookMs, receivedAtMs, bytes, text, file } = answer;
  const outcome = outcomeOf(answer);
  const { daily, monthly } = outcome.left;
  const tone = status < 400 ? 'good' : status < 500 ? 'warn' : 'bad';
  return (
    <>
      <Facts
        look="strip"
        className={classes.facts}
        facts={[
          {
            key: 'status',
            label: texts.status,
            value: (
              <span data-tone={tone}>
                {status} {statusText}
              </span>
            ),
          },
          { key: 'took', label: texts.took, value: texts.ms(formatNumber(Math.round(tookMs))) },
          {
            key: 'counted',
            label: texts.counted,
            value: outcome.isTest ? texts.testKey : outcome.counted ? texts.yes : texts.no,
          },
          ...leftFact(texts.leftToday, daily),
          ...leftFact(texts.leftCycle, monthly),
        ]}
      />
      {status < 400 ? null : (
        <CallAdvice productId={productId} status={status} outcome={outcome} receivedAtMs={receivedAtMs} />
      )}
      {text === null ? (
        <div className={classes.file}>
          {texts.fileCame(file?.type ?? '')}
          {file === null ? null : (
            <Button
              variant="default"
              size="sm"
              leftSection={<Download size={16} aria-hidden />}
              onClick={() => saveBlob(file, savesAs ?? 'answer')}
            >
              {texts.saveFile(savesAs ?? 'answer')}
            </Button>
          )}
        </div>
      ) : text === '' ? null : (
        <div className={classes.body}>
          <SampleCode label={texts.theAnswer} text={text} />
          <CopyButton value={text} className={classes.copy ?? ''} size="xs" />
        </div>
      )}
      <details className={classes.headers}>
        <summary>
          {texts.headers(headers.length)} <span className="dim">{texts.bytes(formatNumber(bytes))}</span>
        </summary>
        <Facts facts={headers.map(([name, value]) => ({ key: name, label: name, value }))} />
      </details>
    </>
  );
}

function leftFact(label: string, left: { remaining: number; limit: number } | undefined): Fact[] {
  if (left === undefined) return [];
  return [{ key: label, label, value: texts.left(formatNumber(left.remaining), formatNumber(left.limit)) }];
}
