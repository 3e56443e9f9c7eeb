import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { listActivations } from '#shared/contract/activations.ts';
import { useCall } from '#web/api/use-call.ts';
import classes from '#web/features/activations/activation-bar.module.css';
import { barTexts as texts } from '#web/features/activations/texts.ts';
import tabClasses from '#web/ui/tabs.module.css';

/** The tabs of `/api/{id}` (product §2.23), in their order. */
export const apiTabs = ['usage', 'keys', 'billing', 'plan', 'deactivate'] as const;
export type ApiTab = (typeof apiTabs)[number];

/** A place of an activation. */
export type ActivationPlace = 'overview' | ApiTab | 'subscriptions' | 'requests' | 'support';

const before = ['overview'] as const;
const after = ['subscriptions', 'requests', 'support'] as const;

interface ActivationBarProps {
  activationId: string;
  current: ActivationPlace | undefined;
  /** On `/api/{id}`: its tabs, which take the place of the links to them. */
  tabs?: ReactNode;
}

/** The one bar on all pages of an activation. */
export function ActivationBar({ activationId, current, tabs }: ActivationBarProps) {
  const activations = useCall(listActivations, {}).data?.activations;
  if (activations?.every(({ id }) => id !== activationId)) return null;
  const link = (place: ActivationPlace) => (
    <Link
      key={place}
      ref={place === current ? reveal : undefined}
      className={classes.link}
      to={addressOf(activationId, place)}
      aria-current={place === current ? 'page' : undefined}
    >
      {texts.places[place]}
    </Link>
  );
  return (
    <nav className={`${tabClasses.list} ${classes.bar}`} aria-label={texts.label}>
      {before.map(link)}
      {tabs ?? apiTabs.map(link)}
      {after.map(link)}
    </nav>
  );
}

function addressOf(id: string, place: ActivationPlace): string {
  if (place === 'overview') return `/activations/${id}`;
  if (place === 'subscriptions') return `/activations/${id}/billing`;
  if (place === 'requests' || place === 'support') return `/activations/${id}/${place}`;
  return place === 'usage' ? `/api/${id}` : `/api/${id}?tab=${place}`;
}

/** On a phone the bar is wider than the page: the place that is shown must be seen. */
export function reveal(place: HTMLElement | null): void {
  place?.scrollIntoView({ inline: 'center', block: 'nearest' });
}
