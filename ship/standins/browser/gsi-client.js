// @ts-check
// Replaces https://accounts.google.com/gsi/client: the global google.accounts.id with Google's own names.
'use strict';

(() => {
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement)) return;
  const standinOrigin = new URL(script.src).origin;
  const logName = '[GSI_LOGGER]';

  /** @param {string} text */
  const log = (text) => globalThis.console.error(`${logName}: ${text}`);

  /** @typedef {{ credential: string, select_by: string, state?: string }} CredentialResponse */
  /**
   * @typedef {object} Options
   * @property {string} client_id
   * @property {(response: CredentialResponse) => void} [callback]
   * @property {string} [nonce]
   * @property {string} [login_uri]
   * @property {'popup' | 'redirect'} [ux_mode]
   * @property {boolean} [cancel_on_tap_outside]
   * @property {string} [prompt_parent_id]
   */
  /** @typedef {Record<string, any>} ButtonOptions */

  /** @type {Options | null} */
  let options = null;

  const texts = new Map([
    ['signin_with', 'Sign in with Google'],
    ['signup_with', 'Sign up with Google'],
    ['continue_with', 'Continue with Google'],
    ['signin', 'Sign in'],
  ]);

  function addStyle() {
    if (document.querySelector('link[data-gsi-style]')) return;
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = `${standinOrigin}/gsi/style`;
    link.dataset['gsiStyle'] = '';
    document.head.append(link);
  }

  function drawLogo() {
    const namespace = 'http://www.w3.org/2000/svg';
    const svg = document.createElementNS(namespace, 'svg');
    svg.setAttribute('viewBox', '0 0 48 48');
    svg.setAttribute('aria-hidden', 'true');
    const strokes = [
      [
        '#EA4335',
        'M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z',
      ],
      [
        '#4285F4',
        'M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z',
      ],
      [
        '#FBBC05',
        'M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z',
      ],
      [
        '#34A853',
        'M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z',
      ],
    ];
    for (const [colour, outline] of strokes) {
      const path = document.createElementNS(namespace, 'path');
      path.setAttribute('fill', colour ?? '');
      path.setAttribute('d', outline ?? '');
      svg.append(path);
    }
    return svg;
  }

  /**
   * @param {'popup' | 'onetap' | 'redirect'} mode
   * @param {string} channel
   */
  function chooserUrl(mode, channel) {
    const url = new URL('/gsi/select', standinOrigin);
    url.searchParams.set('client_id', options?.client_id ?? '');
    url.searchParams.set('origin', location.origin);
    url.searchParams.set('mode', mode);
    url.searchParams.set('channel', channel);
    if (options?.nonce) url.searchParams.set('nonce', options.nonce);
    return url;
  }

  /**
   * Accepts the chooser's message from its own window and origin only.
   * @param {string} channel
   * @param {() => unknown} source
   * @param {(answer: { credential?: string, closed?: string }) => void} handle
   */
  function listen(channel, source, handle) {
    /** @param {MessageEvent} event */
    const hear = (event) => {
      if (event.origin !== standinOrigin || event.source !== source()) return;
      if (event.data?.type !== 'gsi-answer' || event.data.channel !== channel) return;
      window.removeEventListener('message', hear);
      handle(event.data);
    };
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }

  function redirectToChooser() {
    const token = crypto.randomUUID();
    // Google's double submit: the cookie here, the form field from the chooser.
    document.cookie = `g_csrf_token=${token}; path=/; SameSite=Lax`;
    const url = chooserUrl('redirect', '');
    url.searchParams.set('login_uri', options?.login_uri ?? location.href);
    url.searchParams.set('g_csrf_token', token);
    location.assign(url);
  }

  /** @param {string | undefined} state */
  function openPopup(state) {
    if (options?.ux_mode === 'redirect') return redirectToChooser();
    const channel = crypto.randomUUID();
    const left = window.screenX + Math.max(0, (window.outerWidth - 500) / 2);
    const top = window.screenY + Math.max(0, (window.outerHeight - 640) / 2);
    const features = `popup,width=500,height=640,left=${left},top=${top}`;
    const popup = window.open(chooserUrl('popup', channel), 'g_id_signin', features);
    if (!popup) return log('Failed to open popup window. Maybe blocked by the browser?');
    listen(
      channel,
      () => popup,
      ({ credential }) => {
        if (!credential) return;
        const response = { credential, select_by: 'btn', ...(state === undefined ? {} : { state }) };
        options?.callback?.(response);
      },
    );
  }

  /** @type {(() => void) | null} */
  let closePrompt = null;

  const id = {
    /** @param {Options} given */
    initialize(given) {
      if (!given?.client_id) return log('Missing required parameter: client_id.');
      if (options) globalThis.console.warn(`${logName}: google.accounts.id.initialize() is called multiple times.`);
      options = given;
    },
    /**
     * @param {HTMLElement} parent
     * @param {ButtonOptions} [look]
     */
    renderButton(parent, look = {}) {
      if (!options) return log('Failed to render button before calling initialize().');
      addStyle();
      const label = texts.get(look['text'] ?? '') ?? 'Sign in with Google';
      const button = document.createElement('div');
      button.className = 'gsi-button';
      button.tabIndex = 0;
      button.setAttribute('role', 'button');
      button.setAttribute('aria-label', label);
      if (look['theme']) button.dataset['theme'] = String(look['theme']);
      if (look['width'] && look['type'] !== 'icon') {
        button.style.width = `${Math.min(400, Math.max(120, Number.parseInt(look['width'], 10)))}px`;
      }
      const logo = document.createElement('span');
      logo.className = 'gsi-logo';
      logo.append(drawLogo());
      button.append(logo);
      if (look['type'] !== 'icon') {
        const text = document.createElement('span');
        text.className = 'gsi-text';
        text.textContent = label;
        button.append(text);
      }
      const press = () => {
        look['click_listener']?.();
        openPopup(look['state']);
      };
      button.addEventListener('click', press);
      button.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        press();
      });
      parent.replaceChildren(button);
    },
    /** @param {(moment: Record<string, () => unknown>) => void} [onMoment] */
    prompt(onMoment) {
      if (!options) return log('Failed to open One Tap before calling initialize().');
      id.cancel();
      const channel = crypto.randomUUID();
      const frame = document.createElement('iframe');
      frame.title = 'Sign in with Google Dialog';
      frame.src = chooserUrl('onetap', channel).href;
      frame.className = 'gsi-onetap';
      addStyle();
      const host = options.prompt_parent_id ? document.getElementById(options.prompt_parent_id) : null;
      (host ?? document.body).append(frame);
      /** @param {'dismissed' | 'skipped'} type @param {string} reason */
      const end = (type, reason) => {
        stopListening();
        document.removeEventListener('click', tapOutside);
        frame.remove();
        closePrompt = null;
        onMoment?.({
          getMomentType: () => type,
          isDismissedMoment: () => type === 'dismissed',
          isSkippedMoment: () => type === 'skipped',
          getDismissedReason: () => (type === 'dismissed' ? reason : undefined),
        });
      };
      const tapOutside = () => end('skipped', 'tap_outside');
      const stopListening = listen(
        channel,
        () => frame.contentWindow,
        ({ credential }) => {
          end(credential ? 'dismissed' : 'skipped', credential ? 'credential_returned' : 'user_cancel');
          if (credential) options?.callback?.({ credential, select_by: 'user' });
        },
      );
      if (options.cancel_on_tap_outside !== false) setTimeout(() => document.addEventListener('click', tapOutside));
      closePrompt = () => end('dismissed', 'cancel_called');
    },
    cancel() {
      closePrompt?.();
    },
    // The stand-in never selects an account by itself, so there is nothing to switch off.
    disableAutoSelect() {},
    /** @param {unknown} _credential @param {() => void} [done] */
    storeCredential(_credential, done) {
      done?.();
    },
    /** @param {string} hint @param {(response: { successful: boolean, error?: string }) => void} [done] */
    revoke(hint, done) {
      const answer = fetch(`${standinOrigin}/gsi/revoke?hint=${encodeURIComponent(hint)}`, { method: 'POST' })
        .then((response) => response.json())
        .catch(() => ({ successful: false, error: 'Network error.' }));
      void (async () => done?.(await answer))();
    },
  };

  /** @type {Record<string, any>} */
  const page = Object(window);
  page['google'] = { ...page['google'], accounts: { ...page['google']?.accounts, id } };
  page['onGoogleLibraryLoad']?.();
})();
