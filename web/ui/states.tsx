import { Loader, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { CircleAlert, RotateCw } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { ActionButton } from '#web/ui/action-button.tsx';
import classes from '#web/ui/states.module.css';
import { uiTexts as texts } from '#web/ui/texts.ts';

const spinnerAfterMs = 1_000;

/** A skeleton for one second, then a spinner and a text (product §10.2). */
export function Loading({ word, children }: { word: string; children: ReactNode }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), spinnerAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div aria-busy="true" data-holds="true" className={classes['loading']}>
      <div className={late ? classes['shapeLate'] : undefined} aria-hidden="true">
        {children}
      </div>
      {late ? (
        // Another element than the unseen one: that would move.
        <output key="late" className={classes['spinner']}>
          <Loader aria-hidden="true" />
          {word}
        </output>
      ) : (
        <output key="early" className={classes['unseen']}>
          {word}
        </output>
      )}
    </div>
  );
}

/** Stands where something may come that is not known yet. What follows it on the page stays out of sight meanwhile, so that it never jumps. */
export function Unknown() {
  return <div aria-busy="true" data-holds="true" />;
}

/** A list or page that failed to load: what failed, what is not affected, and a way on. */
export function ErrorState({
  title,
  children,
  onRetry,
  retrying = false,
}: {
  title: string;
  children?: ReactNode;
  onRetry?: () => void;
  retrying?: boolean;
}) {
  return (
    <div role="alert" className={classes['state']}>
      <span className={classes['tile']} data-tone="danger">
        <CircleAlert size={20} />
      </span>
      <Title order={2} size="h3">
        {title}
      </Title>
      {children === undefined ? null : <p>{children}</p>}
      {onRetry === undefined ? null : (
        <ActionButton
          isRead
          variant="default"
          leftSection={<RotateCw size={16} />}
          running={retrying}
          onClick={onRetry}
        >
          {texts.tryAgain}
        </ActionButton>
      )}
    </div>
  );
}

/** There is nothing yet: what comes here, and the one thing to do. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={classes['state']}>
      <span className={classes['tile']}>{icon}</span>
      <Title order={2} size="h3">
        {title}
      </Title>
      {children === undefined ? null : <p>{children}</p>}
      {action}
    </div>
  );
}

/** A card around a state that stands for a whole page or section. */
export function StateCard({ children }: { children: ReactNode }) {
  return <div className={classes['card']}>{children}</div>;
}

/**
 * Renders the reply; a skeleton while loading; an error with the title `failed`. Old data stays on screen while it is read
 * again.
 */
export function Loaded<T>({
  of,
  word,
  shape,
  failed,
  children,
}: {
  of: UseQueryResult<T>;
  word: string;
  shape: ReactNode;
  failed: string;
  children: (reply: T) => ReactNode;
}) {
  // A read after a failure forgets it, and the page would flicker each time.
  const [lastError, setLastError] = useState(of.error);
  if (of.error !== null && of.error !== lastError) setLastError(of.error);
  if (of.data !== undefined) return children(of.data);
  if (of.isPending && lastError === null) return <Loading word={word}>{shape}</Loading>;
  return (
    <StateCard>
      <ErrorState title={failed} onRetry={() => void of.refetch()} retrying={of.isFetching}>
        {(of.error ?? lastError)?.message}
      </ErrorState>
    </StateCard>
  );
}
