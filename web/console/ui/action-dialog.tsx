import { Alert, Button, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { CircleAlert, CircleCheck, KeyRound, UserCheck } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { effectText } from '#web/ui/localized-days.ts';
import { Refused } from '#web/api/failures.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { LeaveGuard } from '#web/ui/leave-guard.tsx';
import { Dialog, DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import classes from '#web/console/ui/action-dialog.module.css';
import { useDraft } from '#web/console/api/drafts.ts';
import type { Outcome } from '#web/console/api/operator-call.ts';
import { ActionFields } from '#web/console/ui/action-fields.tsx';
import type { Action } from '#web/console/ui/action.ts';
import { FactList } from '#web/console/ui/fact-list.tsx';
import type { ComparedFact } from '#web/console/ui/reply-facts.ts';
import { useActionSteps } from '#web/console/ui/use-action-steps.ts';

const typingMs = 400;

const unsaved = { title: 'Close without doing it?', text: 'What you have typed is lost, and nothing is done.' };

/** An action: what it needs, what it would do, why, and afterwards what it did. */
export function ActionDialog({
  action,
  opening,
  onClose,
}: {
  action: Action | null;
  /** Which opening of the dialog this is: each begins afresh. */
  opening: number;
  onClose: () => void;
}) {
  // The last one stays while the dialog fades out.
  const [shown, setShown] = useState(action);
  if (action !== null && action !== shown) setShown(action);
  // What became of it must be told: until then the dialog stays.
  const isRunning = useRef(false);
  const close = () => {
    if (isRunning.current) return;
    onClose();
  };
  return (
    <Dialog opened={action !== null} onClose={close} title={shown?.title ?? ''} size={560}>
      {shown === null ? null : (
        <Steps
          key={opening}
          action={shown}
          onRunning={(running) => {
            isRunning.current = running;
          }}
          onClose={close}
        />
      )}
    </Dialog>
  );
}

function Steps({
  action,
  onRunning,
  onClose,
}: {
  action: Action;
  onRunning: (running: boolean) => void;
  onClose: () => void;
}) {
  const { fields = [], reason: givenReason } = action;
  const initial: Record<string, string> = Object.fromEntries(
    fields.map(({ name, initial: text = '' }) => [name, text]),
  );
  const about = JSON.stringify([action.call, action.input((field) => initial[field] ?? '')]);
  const { values, change } = useDraft(about, initial);
  const { reason = givenReason ?? '' } = values;
  const isTyped = Object.entries(values).some(([name, text]) => text !== (initial[name] ?? ''));
  const [settled] = useDebouncedValue(values, typingMs);
  const { preview, fault, perform, running, failure, mayBeDone, needsPasskey, outcome, done } = useActionSteps(
    action,
    values,
    settled === values,
  );
  useLayoutEffect(() => onRunning(running), [onRunning, running]);
  if (outcome !== null) return <Told outcome={outcome} done={done} onClose={onClose} />;
  // Trying again what may be done tells whether it is, also where its preview is refused by now.
  const isReady = mayBeDone || (preview.data !== undefined && !preview.isError && fault === null);
  // The fields open with what is so already.
  const isUnchanged = fields.length > 0 && !isTyped && codeOf(preview.error) === 'nothing_to_change';
  const stop = fault ?? (preview.isError && !isUnchanged ? preview.error.message : null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !running) void perform(reason);
      }}
    >
      <LeaveGuard on={isTyped && !running} question={unsaved} />
      <DialogContent>
        {action.about === undefined ? null : <p className={classes.about}>{action.about}</p>}
        <ActionFields fields={fields} values={values} onChange={change} />
        <div className={classes.preview} aria-live="polite" aria-busy={preview.isFetching}>
          {stop === null ? null : (
            <Alert color="red" icon={<CircleAlert size={18} />}>
              {stop}
              {preview.isError ? (
                <ActionButton
                  variant="default"
                  size="xs"
                  mt={8}
                  running={preview.isFetching}
                  onClick={() => void preview.refetch()}
                >
                  Try again
                </ActionButton>
              ) : null}
            </Alert>
          )}
          {preview.data === undefined ? null : (
            <>
              <p className={classes.heading}>What it would do now</p>
              <FactList facts={preview.data} label="Preview" />
            </>
          )}
          {preview.isFetching ? <Skeleton height={44} radius={10} /> : null}
        </div>
        {givenReason === undefined ? (
          <TextInput
            label="Reason"
            description="It is kept in the audit log. If it is about a customer, the customer can read it."
            required
            withAsterisk={false}
            maxLength={1000}
            value={reason}
            onChange={({ currentTarget }) => change('reason', currentTarget.value)}
            {...(fields.length === 0 && { 'data-autofocus': true })}
          />
        ) : null}
        {failure === null && !mayBeDone ? null : (
          <Alert color="red" icon={<CircleAlert size={18} />} mt={14} role="alert">
            {failure?.message}
            {mayBeDone ? ' An earlier try may have arrived. Try again: it is done once.' : null}
          </Alert>
        )}
        {needsPasskey ? (
          <Alert color="yellow" icon={<KeyRound size={18} />} mt={14} role="alert" title="Confirm with your passkey">
            Actions on money, keys and roles need it; it holds for 15 minutes. If you have no passkey, add one in Team &
            API.
          </Alert>
        ) : null}
      </DialogContent>
      <DialogFoot>
        <Button variant="default" disabled={running} onClick={onClose}>
          Cancel
        </Button>
        <ActionButton
          type="submit"
          {...(action.isDangerous === true && { color: 'red' })}
          running={running}
          disabled={!isReady || reason.trim() === ''}
        >
          {needsPasskey ? `Confirm and ${action.verb.toLowerCase()}` : action.verb}
        </ActionButton>
      </DialogFoot>
    </form>
  );
}

const codeOf = (error: unknown) => (error instanceof Refused ? error.problem.code : undefined);

/** What became of it. */
function Told({ outcome, done, onClose }: { outcome: Outcome; done: readonly ComparedFact[]; onClose: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  // The button that was pressed is gone.
  useEffect(() => button.current?.focus(), []);
  const link = 'done' in outcome ? linkOf(outcome.done) : undefined;
  return (
    <>
      <DialogContent>
        <output>
          {'done' in outcome ? (
            <Alert color="brand" icon={<CircleCheck size={18} />} mb={14} title="It is done">
              {effectOf(outcome.done)}
            </Alert>
          ) : 'arrivedBefore' in outcome ? (
            <Alert color="brand" icon={<CircleCheck size={18} />} title="It is done: the first try arrived">
              Only its response was lost, and nothing was done twice. If it needs a second person, it waits in Team &
              API.
            </Alert>
          ) : (
            <Alert color="yellow" icon={<UserCheck size={18} />} title="It waits for a second person">
              Nothing is done yet. Another operator approves it in Team & API ({outcome.waitsForApproval}).
            </Alert>
          )}
        </output>
        {done.length === 0 ? null : <FactList facts={done} label="What happened" />}
      </DialogContent>
      <DialogFoot>
        <Button ref={button} onClick={onClose} {...(link !== undefined && { variant: 'default' })}>
          Done
        </Button>
        {link === undefined ? null : (
          <Button component="a" href={link} target="_blank" rel="noopener" onClick={onClose}>
            Open in a new tab
          </Button>
        )}
      </DialogFoot>
    </>
  );
}

/** What the action opened, where the reply says so. */
function linkOf(reply: unknown): string | undefined {
  if (typeof reply !== 'object' || reply === null || !('link' in reply)) return undefined;
  return typeof reply.link === 'string' ? reply.link : undefined;
}

/** When a change of access is in effect, where the reply says so. */
function effectOf(reply: unknown): string | undefined {
  if (typeof reply !== 'object' || reply === null || !('effectiveBy' in reply)) return undefined;
  const { effectiveBy } = reply;
  return effectText(typeof effectiveBy === 'string' ? effectiveBy : null, 'It is in effect at every gateway.');
}
