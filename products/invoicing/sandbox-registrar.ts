import { z } from 'zod';
import type { Clock } from '#shared/platform/clock.ts';
import { PortalRefusal } from '#products/http/problem.ts';
import type { Inv01 } from '#products/invoicing/inv01.ts';
import type { PortalLogin, Registrar, Registration } from '#products/invoicing/registrar.ts';
import {
  cancelRegistration,
  findRegistration,
  keepRegistration,
  type Registrant,
  type SandboxRegistration,
  registrationLifetimeMs,
} from '#products/store/sandbox-registrations.ts';
import type { Store } from '#products/store/store.ts';
import { throwMagicError, magicGstins } from '#products/sandbox/magic-gstins.ts';

const system = 'The invoice registration portal';
/** Like the portal, it accepts a cancellation for one day. */
const cancellableForMs = 24 * 3_600_000;

/**
 * The invoice registration portal for test keys: it returns the real portal's errors for the documented inputs, and
 * registers everything else, separately for each caller. Its responses are derived from the document, and registrations
 * are stored where every products process finds them.
 */
export function createSandboxRegistrar(store: Store, now: Clock): (registrant: Registrant) => Registrar {
  return (registrant) => {
    const { caller } = registrant;
    const find = async (login: PortalLogin, irn: string, absentCode: string): Promise<SandboxRegistration> => {
      signIn(login);
      const found = await findRegistration(store, caller, irn);
      if (found === undefined)
        throw new PortalRefusal(404, `${system} refused this: ${absentCode} IRN is not found (sandbox).`, absentCode);
      return found;
    };
    return {
      register: async (login, document, irn) => {
        signIn(login);
        requireGoodParties(document);
        const text = JSON.stringify(document);
        const { isNew, ...kept } = await keepRegistration(store, registrant, { irn, document: text }, now());
        if (kept.document !== text)
          throw new PortalRefusal(409, 'Another document is registered under this number.', '2150');
        return { ...registrationOf(irn, kept), duplicate: !isNew };
      },
      find: async (login, irn) => {
        const kept = await find(login, irn, '2154');
        if (now() - kept.registeredAt.getTime() >= registrationLifetimeMs) {
          throw new PortalRefusal(
            422,
            `${system} refused this: 2283 It was registered more than 2 days ago (sandbox).`,
            '2283',
          );
        }
        return registrationOf(irn, kept);
      },
      cancel: async (login, irn) => {
        const kept = await find(login, irn, '2148');
        if (kept.cancelledAt !== null) throw refused('9999', 'Invoice is not active');
        if (now() - kept.registeredAt.getTime() >= cancellableForMs)
          throw refused('2230', 'The time for cancelling is over');
        if (!(await cancelRegistration(store, caller, irn, now()))) throw refused('9999', 'Invoice is not active');
        return new Date(now()).toISOString();
      },
    };
  };
}

function registrationOf(irn: string, { document, registeredAt, cancelledAt }: SandboxRegistration): Registration {
  return {
    irn,
    ackNumber: ackNumberOf(irn),
    ackAt: registeredAt.toISOString(),
    status: cancelledAt === null ? 'active' : 'cancelled',
    signedInvoice: unsigned(document),
    signedQrCode: unsigned(qrData(qrFields.parse(JSON.parse(document)), irn)),
  };
}

/** Fifteen digits derived from the number of the document. */
function ackNumberOf(irn: string): string {
  return String(100_000_000_000_000 + (Number.parseInt(irn.slice(0, 12), 16) % 100_000_000_000_000));
}

function refused(code: string, why: string): PortalRefusal {
  return new PortalRefusal(422, `${system} refused this: ${code} ${why} (sandbox).`, code);
}

function signIn({ gstin, password }: PortalLogin): void {
  throwMagicError(gstin, system);
  if (password === 'wrong') {
    throw new PortalRefusal(422, `${system} refused this: 1008 Invalid login credentials (sandbox).`, '1008');
  }
}

function requireGoodParties({ BuyerDtls }: Inv01): void {
  throwMagicError(BuyerDtls.Gstin, system);
  const status = magicGstins[BuyerDtls.Gstin]?.finds?.['sts'];
  if (status === undefined) return;
  throw new PortalRefusal(
    422,
    `${system} refused this: 3029 GSTIN ${BuyerDtls.Gstin} is not active (sandbox).`,
    '3029',
  );
}

/** The parts of a document that are in its QR code. */
const qrFields = z.object({
  SellerDtls: z.object({ Gstin: z.string() }),
  BuyerDtls: z.object({ Gstin: z.string() }),
  DocDtls: z.object({ Typ: z.string(), No: z.string(), Dt: z.string() }),
  ValDtls: z.object({ TotInvVal: z.number() }),
});

function qrData(document: z.output<typeof qrFields>, irn: string): string {
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

/** Formatted like the portal's signed texts, but clearly not genuine: algorithm none, issuer sandbox. */
function unsigned(data: string): string {
  return `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded({ iss: 'sandbox', data })}.`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
