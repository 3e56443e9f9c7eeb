/**
 * The parts of Google Identity Services in use (https://developers.google.com/identity/gsi/web/reference/js-reference).
 */
interface GoogleIdentity {
  initialize(options: {
    client_id: string;
    callback: (response: { credential?: string }) => void;
    nonce: string;
    ux_mode: 'popup';
    context: 'signin';
  }): void;
  renderButton(
    parent: HTMLElement,
    options: {
      type: 'standard';
      theme: 'outline' | 'filled_black';
      size: 'large';
      text: 'continue_with';
      shape: 'rectangular';
      logo_alignment: 'left';
      width: number;
    },
  ): void;
}

declare global {
  interface Window {
    google?: { accounts: { id: GoogleIdentity } };
  }
}

const timeoutMs = 10_000;
let loading: Promise<GoogleIdentity> | undefined;

/** Google's own script, loaded once. A failed load may be tried again. */
export function loadGoogleIdentity(scriptUrl: string): Promise<GoogleIdentity> {
  loading ??= addScript(scriptUrl).then(() => {
    const identity = window.google?.accounts.id;
    if (identity === undefined) throw new Error('The sign-in script did not define google.accounts.id');
    return identity;
  });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

function addScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = () => {
      clearTimeout(timer);
      script.remove();
      reject(new Error(`The sign-in script could not be loaded from ${url}`));
    };
    const timer = setTimeout(fail, timeoutMs);
    script.addEventListener('error', fail);
    script.addEventListener('load', () => {
      clearTimeout(timer);
      resolve();
    });
    script.src = url;
    script.async = true;
    document.head.append(script);
  });
}
