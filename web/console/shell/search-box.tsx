import { Loader, Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { type Find, useFinds } from '#web/console/shell/use-finds.ts';
import { useActionDialog } from '#web/console/ui/action-host.tsx';
import classes from '#web/console/shell/search-box.module.css';

const typingMs = 200;

/** The one box that finds everything. Enter opens the first that is found, and what is pasted and has one hit opens it. */
export function SearchBox({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  // What was found has the focus then, not the opener.
  const [isLeaving, setIsLeaving] = useState(false);
  const close = (leaves: boolean) => {
    setIsLeaving(leaves);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={() => close(false)}
      returnFocus={!isLeaving}
      withCloseButton={false}
      padding={0}
      size={600}
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': 'Search' } }}
      styles={{ content: { backgroundColor: 'var(--p-raised)' } }}
    >
      <Box onLeave={() => close(true)} />
    </Modal>
  );
}

function Box({ onLeave }: { onLeave: () => void }) {
  const navigate = useNavigate();
  const perform = useActionDialog();
  const [text, setText] = useState('');
  const [opens, setOpens] = useState<'the only hit' | 'the first' | null>(null);
  const [settled] = useDebouncedValue(text.trim(), typingMs);
  const found = useFinds(settled);
  const isCurrent = settled === text.trim() && !found.isLoading;
  const sought = opens === 'the first' ? found.all[0] : found.hits.length === 1 ? found.hits[0] : undefined;
  const target = isCurrent && opens !== null ? sought?.to : undefined;

  const open = (to: Find['to']) => {
    onLeave();
    if (typeof to === 'string') void navigate(to);
    else perform(to);
  };

  const openTarget = useEffectEvent(open);
  useEffect(() => {
    if (target !== undefined) openTarget(target);
  }, [target]);

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    setOpens('the first');
  }

  return (
    <form className={classes.box} onSubmit={onSubmit}>
      <TextInput
        className={classes.input ?? ''}
        size="lg"
        variant="unstyled"
        classNames={{ input: classes.field ?? '' }}
        leftSection={<Search size={18} aria-hidden />}
        rightSection={isCurrent ? null : <Loader />}
        placeholder="E-mail, name, GSTIN, phone, payment, UTR, document, key, request…"
        aria-label="Search"
        data-autofocus
        value={text}
        onChange={({ currentTarget, nativeEvent }) => {
          setText(currentTarget.value);
          const isPasted = nativeEvent instanceof InputEvent && nativeEvent.inputType === 'insertFromPaste';
          setOpens(isPasted ? 'the only hit' : null);
        }}
        onKeyDown={moveFocus}
      />
      {found.all.length === 0 ? null : (
        <ul className={classes.list} aria-label="Found">
          {found.all.map(({ key, to, name, more, icon: Icon }) => (
            <li key={key}>
              {typeof to === 'string' ? (
                <Link className={classes.hit} to={to} onClick={onLeave} onKeyDown={moveFocus}>
                  <Words icon={Icon} name={name} more={more} />
                </Link>
              ) : (
                <button type="button" className={classes.hit} onClick={() => open(to)} onKeyDown={moveFocus}>
                  <Words icon={Icon} name={name} more={more} />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {isCurrent && settled !== '' && (found.fault !== null || found.all.length === 0) ? (
        <output className={classes.none}>{found.fault ?? 'Nothing found. No customer matches this.'}</output>
      ) : null}
    </form>
  );
}

const Words = ({ icon: Icon, name, more }: Pick<Find, 'icon' | 'name' | 'more'>) => (
  <>
    <Icon size={16} aria-hidden="true" />
    <span className={classes.name}>{name}</span>
    <span className={classes.more}>{more}</span>
  </>
);

/** The arrows move between the field and what was found. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = new Map([
    ['ArrowDown', 1],
    ['ArrowUp', -1],
  ]).get(event.key);
  if (step === undefined) return;
  event.preventDefault();
  const stops = [...(event.currentTarget.closest('form')?.querySelectorAll<HTMLElement>('input, a, li button') ?? [])];
  stops[stops.indexOf(event.currentTarget) + step]?.focus();
}
