// @ts-check
// Replaces https://checkout.razorpay.com/v1/checkout.js: the global Razorpay with its documented options.
'use strict';

(() => {
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement)) return;
  const standinOrigin = new URL(script.src).origin;

  /** @typedef {Record<string, any>} Options */

  /**
   * The options that the sheet needs; functions stay on this side.
   * @param {Options} options
   */
  function sheetOptions(options) {
    const { key, amount, currency, name, order_id, description, prefill, theme, timeout, retry, modal, config } =
      options;
    const { recurring, customer_id } = options;
    return {
      key,
      amount: amount === undefined ? undefined : String(amount),
      currency: currency ?? 'INR',
      name: String(name ?? ''),
      order_id,
      recurring,
      customer_id,
      description,
      prefill: { ...prefill },
      color: theme?.color,
      timeout,
      canRetry: retry !== false && retry?.enabled !== false,
      escape: modal?.escape !== false,
      confirmClose: modal?.confirm_close === true,
      hidden: (config?.display?.hide ?? []).map((/** @type {Options} */ { method, flows }) => ({ method, flows })),
    };
  }

  /**
   * With `redirect`, the browser itself posts the response.
   * @param {string} url
   * @param {Record<string, string>} fields
   */
  function postTo(url, fields) {
    const form = document.createElement('form');
    form.method = 'post';
    form.action = url;
    for (const [name, value] of Object.entries(fields)) {
      const input = document.createElement('input');
      input.type = 'hidden';
      input.name = name;
      input.value = value;
      form.append(input);
    }
    document.body.append(form);
    form.submit();
  }

  /** @param {Options} options */
  function Razorpay(options) {
    if (!options?.['key']) throw new Error('Invalid options: No key passed');
    /** @type {Map<string, Array<(response: unknown) => void>>} */
    const listeners = new Map();
    /** @type {(() => void) | null} */
    let takeDown = null;

    /** @param {string} event @param {unknown} response */
    const tell = (event, response) => {
      for (const listener of listeners.get(event) ?? []) listener(response);
    };

    const instance = {
      /** @param {string} event @param {(response: unknown) => void} listener */
      on(event, listener) {
        listeners.set(event, [...(listeners.get(event) ?? []), listener]);
        return instance;
      },
      open() {
        if (takeDown) return instance;
        takeDown = show(options, {
          /** @param {Record<string, string>} response */
          success(response) {
            instance.close();
            tell('payment.success', response);
            if (options['redirect'] && options['callback_url']) return postTo(options['callback_url'], response);
            options['handler']?.(response);
          },
          /** @param {unknown} error */
          failed(error) {
            tell('payment.failed', { error });
          },
          /** @param {unknown} reason */
          dismissed(reason) {
            instance.close();
            options['modal']?.ondismiss?.(reason);
          },
        });
        return instance;
      },
      close() {
        takeDown?.();
        takeDown = null;
      },
    };
    return instance;
  }

  /**
   * Shows the sheet over the page; returns a function that removes it.
   * @param {Options} options
   * @param {{ success(response: any): void, failed(error: unknown): void, dismissed(reason: unknown): void }} hear
   */
  function show(options, hear) {
    const channel = crypto.randomUUID();
    const address = new URL('/checkout', standinOrigin);
    address.searchParams.set('origin', location.origin);
    address.searchParams.set('channel', channel);
    const frame = document.createElement('iframe');
    frame.className = 'razorpay-checkout-frame';
    frame.title = 'Razorpay Checkout';
    frame.src = address.href;
    Object.assign(frame.style, {
      border: '0',
      colorScheme: 'normal',
      height: '100%',
      inset: '0',
      position: 'fixed',
      width: '100%',
      zIndex: '2147483647',
    });
    const opener = document.activeElement;
    const { overflow } = document.body.style;

    /** @param {MessageEvent} event */
    const receive = (event) => {
      if (event.origin !== standinOrigin || event.source !== frame.contentWindow || event.data?.channel !== channel)
        return;
      const { type, value } = event.data;
      if (type === 'ready') {
        frame.contentWindow?.postMessage({ type: 'open', channel, value: sheetOptions(options) }, standinOrigin);
        frame.focus();
      }
      if (type === 'success') hear.success(value);
      if (type === 'failed') hear.failed(value);
      if (type === 'dismissed') hear.dismissed(value);
    };
    window.addEventListener('message', receive);
    document.body.style.overflow = 'hidden';
    document.body.append(frame);
    return () => {
      window.removeEventListener('message', receive);
      frame.remove();
      document.body.style.overflow = overflow;
      if (opener instanceof HTMLElement) opener.focus();
    };
  }

  Object.assign(window, { Razorpay });
})();
