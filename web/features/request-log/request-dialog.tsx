import { Button } from '@mantine/core';
import { BookOpen, Check, FlaskConical, LifeBuoy, Minus, X } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import type { Activation } from '#shared/contract/activations.ts';
import type { LoggedRequest } from '#shared/contract/request-log.ts';
import { checksOf, type CheckResult } from '#shared/domain/call-problem.ts';
import { countedText } from '#web/features/request-log/counted-text.ts';
import { hasFailed, outcomeText, outcomeTitle, remedyOf } from '#web/features/request-log/problem-text.ts';
import { problemTexts as texts } from '#web/features/request-log/problem-texts.ts';
import classes from '#web/features/request-log/request-dialog.module.css';
import { requestTexts } from '#web/features/request-log/texts.ts';
import { draftAbout, isEmpty, keepDraft, readDraft } from '#web/features/support/draft.ts';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { dayOfInstant, dayText, timeText } from '#web/ui/localized-days.ts';
import { Dialog, DialogContent, DialogFacts, DialogFoot } from '#web/ui/dialog.tsx';
import { formatNumber } from '#shared/domain/number-text.ts';
import { IfMay } from '#web/roles/if-may.tsx';
import { useMay } from '#web/roles/use-role.ts';

interface RequestDialogProps {
  activation: Activation;
  /** Null before the first opening. */
  request: LoggedRequest | null;
  opened: boolean;
  onClose: () => void;
}

/** One call: why it ended as it did, what was checked, and what to do next. */
export function RequestDialog({ activation, request, opened, onClose }: RequestDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.dialog} size={640}>
      {request !== null && <Request activation={activation} request={request} onClose={onClose} />}
    </Dialog>
  );
}

function Request({
  activation: { id, service },
  request,
  onClose,
}: Omit<RequestDialogProps, 'opened' | 'request'> & { request: LoggedRequest }) {
  const navigate = useNavigate();
  const may = useMay();
  const failed = hasFailed(request);
  const remedy = remedyOf(request);
  const call = `${request.method} ${request.path}`;

  function ask(): void {
    const about = draftAbout(texts.subject(request.requestId, String(request.status)), reportOf(request));
    const before = readDraft(id);
    keepDraft(
      id,
      isEmpty(before) ? about : { ...before, message: `${before.message.trimEnd()}\n\n${about.message}`.trimStart() },
    );
    void navigate(`/activations/${id}/support`);
  }

  return (
    <>
      <DialogContent>
        <div className={classes.answer} data-tone={failed ? (request.status >= 500 ? 'bad' : 'warn') : 'good'}>
          <b>
            <span className="num">{request.status}</span> {outcomeTitle(request)}
          </b>
          <p>{outcomeText(request)}</p>
          {remedy === undefined || !may(remedy === 'keys' ? 'listApiKeys' : 'listHistory') ? null : (
            <Button
              component={Link}
              size="xs"
              variant="default"
              to={remedy === 'keys' ? `/api/${id}?tab=keys` : `/activations/${id}/billing`}
            >
              {remedy === 'keys' ? texts.toKeys : texts.toPlans}
            </Button>
          )}
        </div>
        <div className={classes.next}>
          <Button
            component={Link}
            variant="default"
            size="xs"
            leftSection={<BookOpen size={16} aria-hidden />}
            to={`/reference/${service.id}?${new URLSearchParams({ call })}`}
          >
            {texts.docs}
          </Button>
          <Button
            component={Link}
            variant="default"
            size="xs"
            leftSection={<FlaskConical size={16} aria-hidden />}
            to={`/reference/${service.id}?${new URLSearchParams({ call, mode: 'test' })}`}
          >
            {texts.tryAgain}
          </Button>
          <IfMay call="createSupportThread">
            <Button variant="default" size="xs" leftSection={<LifeBuoy size={16} aria-hidden />} onClick={ask}>
              {texts.ask}
            </Button>
          </IfMay>
        </div>
        <DialogFacts
          facts={[
            { key: 'call', label: requestTexts.call, value: <span className={`${classes.call} mono`}>{call}</span> },
            {
              key: 'time',
              label: requestTexts.time,
              value: `${dayText(dayOfInstant(request.at))}, ${timeText(request.at)}`,
            },
            { key: 'key', label: requestTexts.key, value: <span className="mono">{request.keyName}</span> },
            {
              key: 'code',
              label: texts.code,
              value: request.problem === null ? texts.noCode : <span className="mono">{request.problem.code}</span>,
            },
            {
              key: 'latency',
              label: requestTexts.latency,
              value: requestTexts.ms(formatNumber(request.latencyMs)),
            },
            {
              key: 'counted',
              label: texts.counted,
              value: countedText(request),
            },
            {
              key: 'id',
              label: texts.id,
              value: (
                <span className={classes.id}>
                  <span className="mono">{request.requestId}</span>
                  <CopyIcon value={request.requestId} />
                </span>
              ),
            },
          ]}
        />
        <section className={classes.checks}>
          <h3>{texts.checked}</h3>
          <ol>
            {checksOf(request.isTest, request.problem, failed).map((result) => (
              <CheckLine key={result.check} {...result} />
            ))}
          </ol>
        </section>
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onClose} data-autofocus>
          {texts.close}
        </Button>
      </DialogFoot>
    </>
  );
}

const icons = { passed: Check, failed: X, 'not-reached': Minus };

function CheckLine({ check, result }: CheckResult) {
  const Icon = icons[result];
  return (
    <li data-result={result}>
      <Icon size={16} aria-hidden />
      <span>{texts.checks[check]}</span>
      <small>{texts.results[result]}</small>
    </li>
  );
}

/** What support needs to find the call; for people of the provider, so in English. */
function reportOf(request: LoggedRequest): string {
  const { requestId, at, method, path, status, problem, keyName } = request;
  const facts = Object.entries(problem?.facts ?? {}).map(([name, value]) => `${name}=${value}`);
  return [
    `Request id: ${requestId}`,
    `Time: ${at}`,
    `Call: ${method} ${path}`,
    `Status: ${status}${problem === null ? '' : ` ${problem.code} ${facts.join(', ')}`.trimEnd()}`,
    `Key: ${keyName}`,
    '',
    '',
  ].join('\n');
}
