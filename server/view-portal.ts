import type { Db } from '#shared/database/connect.ts';
import { logThrough } from '#shared/request-log/open.ts';
import { hmacHex } from '#server/crypto/same-bytes.ts';
import type { Portal } from './portal.ts';
import { refuse } from './refusals/refuse.ts';

/** In place of a service that has effects outside the database: whatever is asked of it is refused. */
const closed = <Service extends object>(service: Service): Service =>
  new Proxy(service, {
    get: () => {
      throw refuse('read_only_view');
    },
  });

/**
 * The portal for operators who see it as a customer: it reads the same, and can neither write nor reach anything outside. So a call that
 * forgets them is refused, not carried out (decision 068).
 */
export function viewPortalOf(portal: Portal, viewDb: Db): Portal {
  const { jobs, razorpay, outbound, mailer, eInvoices, taxpayers, documentFiles } = portal;
  return {
    ...portal,
    isView: true,
    db: viewDb,
    requestLog: logThrough(viewDb, portal.requestLog),
    // It changes between two calls.
    get catalog() {
      return portal.catalog;
    },
    movedClock: undefined,
    jobs: closed(jobs),
    razorpay: closed(razorpay),
    outbound: closed(outbound),
    mailer: mailer && closed(mailer),
    eInvoices: eInvoices && closed(eInvoices),
    taxpayers: taxpayers && closed(taxpayers),
    // A cancelled document is printed for each look: a signature asks a timestamp server.
    signer: undefined,
    verifyIdToken: () => Promise.reject(refuse('read_only_view')),
    subscribers: [],
    documentFiles: {
      ...documentFiles,
      store: () => Promise.reject(refuse('read_only_view')),
      open: (address) => closed(documentFiles.open(address)),
    },
    // A link of a view is none of the customer, and the other way round.
    linkSecret: Buffer.from(hmacHex(portal.linkSecret, 'views'), 'hex'),
  };
}
