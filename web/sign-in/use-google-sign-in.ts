import { type RefObject, useEffect, useReducer, useRef, useState } from 'react';
import { createSignInNonce } from '#shared/contract/account.ts';
import { addressOf } from '#web/api/address-of.ts';
import { portalConfig } from '#web/api/config.ts';
import { send } from '#web/api/send.ts';
import { loadGoogleIdentity } from '#web/sign-in/google-identity.ts';

/** A nonce is valid for ten minutes; the button is redrawn with a fresh one before that. */
const renewAfterMs = 8 * 60_000;
const buttonWidth = { min: 200, max: 400 };

export type SignInState = 'preparing' | 'ready' | 'unavailable';

/**
 * Draws Google's button into `container`; `onToken` gets the identity token. `renew` draws it with a new nonce: one serves
 * once, so that a sign-in that failed needs another, and until that has come there is no button to press.
 */
export function useGoogleSignIn(
  container: RefObject<HTMLDivElement | null>,
  isDark: boolean,
  onToken: (token: string) => void,
): { state: SignInState; renew: () => void } {
  const [prepared, setPrepared] = useState<Prepared>();
  const [round, begin] = useReducer((last: number) => last + 1, 0);
  const [failedRound, setFailedRound] = useState<number>();
  useEffect(() => {
    const ended = new AbortController();
    prepare(ended.signal).then(setPrepared, () => ended.signal.aborted || setFailedRound(round));
    const timer = setTimeout(begin, renewAfterMs);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [round]);
  const receive = useRef(onToken);
  useEffect(() => {
    receive.current = onToken;
  }, [onToken]);

  useEffect(() => {
    const parent = container.current;
    if (prepared === undefined || parent === null) return;
    prepared.google.initialize({
      client_id: portalConfig().googleClientId,
      nonce: prepared.nonce,
      ux_mode: 'popup',
      context: 'signin',
      callback: ({ credential }) => {
        // Errors on the provider's side are only logged (product §9.1).
        if (credential === undefined) reportError(new Error('Google answered without an identity token'));
        else receive.current(credential);
      },
    });
    parent.replaceChildren();
    prepared.google.renderButton(parent, {
      type: 'standard',
      theme: isDark ? 'filled_black' : 'outline',
      size: 'large',
      text: 'continue_with',
      shape: 'rectangular',
      logo_alignment: 'left',
      width: Math.min(buttonWidth.max, Math.max(buttonWidth.min, Math.floor(parent.clientWidth))),
    });
  }, [container, prepared, isDark]);

  const state = prepared === undefined ? (failedRound === round ? 'unavailable' : 'preparing') : 'ready';
  const renew = () => {
    setPrepared(undefined);
    begin();
  };
  return { state, renew };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

async function prepare(signal: AbortSignal) {
  try {
    const [google, { nonce }] = await Promise.all([
      loadGoogleIdentity(portalConfig().googleScriptUrl),
      nonceOf(signal),
    ]);
    return { google, nonce };
  } catch (error) {
    if (!signal.aborted) reportError(error);
    throw error;
  }
}

/** For a customer or an operator: no session of either is needed or touched. */
const nonceOf = (signal: AbortSignal) =>
  send({
    method: createSignInNonce.method,
    address: addressOf(createSignInNonce, {}),
    reply: createSignInNonce.reply,
    token: null,
    signal,
    onUnauthorized: () => undefined,
  });
