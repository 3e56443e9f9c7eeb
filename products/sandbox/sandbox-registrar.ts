import type { Clock } from '#platform/clock.ts';
import { Refusal } from '#products/http/problem.ts';
import type { Inv01 } from '#products/invoicing/inv01.ts';
import type { PortalLogin, Registrar, Registration } from '#products/invoicing/registrar.ts';
import { failAsTold, magicGstins } from './sandbox-taxpayers.ts';

const system = 'The invoice registration portal';
const hourMs = 3_600_000;
/** As the portal: it tells of a registration for two days, and takes a cancellation for one. */
const toldForMs = 48 * hourMs;
const cancellableForMs = 24 * hourMs;
/** More are not remembered; the oldest are forgotten first. */
const maxRegistrations = 10_000;

interface Kept {
  registration: Registration;
  document: string;
  registeredAt: number;
}

/**
 * The invoice registration portal for test keys: it refuses as the real one does, for the inputs that are documented for it, and
 * registers everything else. What it registers is kept in memory alone, for each caller apart.
 */
export function createSandboxRegistrar(now: Clock): (caller: string) => Registrar {
  const kept = new Map<string, Kept>();
  let given = 0;

  const remember = (key: string, entry: Kept): void => {
    for (const [oldest, { registeredAt }] of kept) {
      if (kept.size < maxRegistrations && now() - registeredAt < toldForMs) break;
      kept.delete(oldest);
    }
    kept.set(key, entry);
  };

  return (caller) => {
    const find = (login: PortalLogin, irn: string, absentCode: string): Kept => {
      signIn(login);
      const found = kept.get(`${caller} ${irn}`);
      if (found === undefined)
        throw new Refusal(404, `${system} refused this: ${absentCode} IRN is not found (sandbox).`, absentCode);
      return found;
    };
    return {
      register: async (login, document, irn) => {
        signIn(login);
        requireGoodParties(document);
        const key = `${caller} ${irn}`;
        const text = JSON.stringify(document);
        const before = kept.get(key);
        if (before?.document === text) return { ...before.registration, duplicate: true };
        if (before !== undefined) {
          throw new Refusal(409, 'Another document is registered under this number.', '2150');
        }
        given += 1;
        const registration: Registration = {
          irn,
          ackNumber: String(10_000_000_000_000 + given),
          ackAt: new Date(now()).toISOString(),
          status: 'active',
          signedInvoice: unsigned(text),
          signedQrCode: unsigned(qrData(document, irn)),
        };
        remember(key, { registration, document: text, registeredAt: now() });
        return { ...registration, duplicate: false };
      },
      find: async (login, irn) => {
        const { registration, registeredAt } = find(login, irn, '2154');
        if (now() - registeredAt >= toldForMs) {
          throw new Refusal(
            422,
            `${system} refused this: 2283 It was registered more than 2 days ago (sandbox).`,
            '2283',
          );
        }
        return registration;
      },
      cancel: async (login, irn) => {
        const entry = find(login, irn, '2148');
        if (entry.registration.status === 'cancelled') throw refused('9999', 'Invoice is not active');
        if (now() - entry.registeredAt >= cancellableForMs) throw refused('2230', 'The time for cancelling is over');
        entry.registration = { ...entry.registration, status: 'cancelled' };
        return new Date(now()).toISOString();
      },
    };
  };
}

function refused(code: string, why: string): Refusal {
  return new Refusal(422, `${system} refused this: ${code} ${why} (sandbox).`, code);
}

function signIn({ gstin, password }: PortalLogin): void {
  failAsTold(gstin, system);
  if (password === 'wrong') {
    throw new Refusal(422, `${system} refused this: 1008 Invalid login credentials (sandbox).`, '1008');
  }
}

function requireGoodParties({ BuyerDtls }: Inv01): void {
  failAsTold(BuyerDtls.Gstin, system);
  const status = magicGstins[BuyerDtls.Gstin]?.finds?.['sts'];
  if (status === undefined) return;
  throw new Refusal(422, `${system} refused this: 3029 GSTIN ${BuyerDtls.Gstin} is not active (sandbox).`, '3029');
}

function qrData(document: Inv01, irn: string): string {
  const { SellerDtls, BuyerDtls, DocDtls, ValDtls } = document;
  return JSON.stringify({
    SellerGstin: SellerDtls.Gstin,
    BuyerGstin: BuyerDtls.Gstin,
    DocNo: DocDtls.No,
    DocTyp: DocDtls.Typ,
    DocDt: DocDtls.Dt,
    TotInvVal: ValDtls.TotInvVal,
    Irn: irn,
  });
}

/** In the form of the portal's texts, but nobody can take it for one: algorithm none, issuer sandbox. */
function unsigned(data: string): string {
  return `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded({ iss: 'sandbox', data })}.`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
