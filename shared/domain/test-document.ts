import type { DocumentContent, DocumentKind, IssuedDocument } from '#shared/domain/document.ts';
import { decideTax, type Recipient } from '#shared/domain/place-of-supply.ts';
import { splitInclusive } from '#shared/domain/tax-split.ts';

/** A document for tests: the given fields, and the rest as issued by a supplier in Maharashtra. */
export function testDocument(
  given: {
    kind?: DocumentKind;
    number?: string;
    issuedOn?: string;
    totalPaise?: number;
    recipient?: Recipient;
    gstRateBasisPoints?: number;
    refersTo?: DocumentContent['refersTo'];
  } = {},
): IssuedDocument {
  const recipient: Recipient = given.recipient ?? { kind: 'unregistered', stateCode: '29' };
  const decision = decideTax({ supplierStateCode: '27', recipient });
  if (!decision.ok) throw new Error(decision.refusal);
  const { supplyType, placeOfSupply, placeOfSupplyName, tax, interState } = decision;
  const { gstRateBasisPoints = 1800 } = given;
  const abroad = recipient.kind === 'overseas';
  return {
    kind: given.kind ?? 'INVOICE',
    number: given.number ?? 'OCT/26-27/000001',
    issuedOn: given.issuedOn ?? '2026-11-21',
    content: {
      supplier: {
        name: 'Octroi Sample Private Limited',
        gstin: '27ZZZCA0001A1Z4',
        address: '1 MG Road, Andheri, Mumbai 400053',
        city: 'Mumbai',
        pin: '400053',
        stateCode: '27',
        stateName: 'Maharashtra',
      },
      recipient: {
        name: 'Kaveri Traders',
        gstin: recipient.kind === 'registered' ? recipient.gstin : null,
        address: '14 Residency Road',
        city: abroad ? 'Singapore' : 'Bengaluru',
        pin: abroad ? '018956' : '560025',
        stateCode: placeOfSupply,
        stateName: placeOfSupplyName,
        country: abroad ? 'SG' : 'IN',
      },
      item: {
        description: 'Tax Lookup API, Growth plan',
        sac: '998439',
        fromDate: '2026-11-21',
        toDate: '2026-12-21',
      },
      supplyType,
      placeOfSupply,
      placeOfSupplyName,
      tax,
      interState,
      lut: tax === 'NONE' ? 'AD270326000001A' : null,
      gstRateBasisPoints,
      split: splitInclusive(given.totalPaise ?? 149_900, gstRateBasisPoints, tax),
      activationId: 'ACT-7K2M9QX4TB',
      paymentId: 'pay_LOCALTEST00001',
      refersTo: given.refersTo ?? null,
      reason: null,
    },
  };
}
