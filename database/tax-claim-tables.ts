import type { Generated } from 'kysely';
import type { LetterType, SezOutcome, TaxClaimKind } from '#domain/tax-claim.ts';
import type { Fixed } from './fixed-column.ts';

/** The tables of what buyers claim about their tax, and what proves it. */
export interface TaxClaimTables {
  tax_claims: {
    id: Fixed<string>;
    customer_id: Fixed<string>;
    kind: TaxClaimKind;
    about: string;
    declared_on: string;
    declared_at: Fixed<Date>;
    letter_name: Fixed<string>;
    letter_type: LetterType;
    letter_bytes: Fixed<number>;
    letter: Buffer;
    letter_sha256: Fixed<Buffer>;
    withdrawn_at: Date | null;
  };
  sez_checks: {
    id: Generated<number>;
    customer_id: Fixed<string>;
    gstin: Fixed<string>;
    checked_at: Fixed<Date>;
    outcome: Fixed<SezOutcome>;
    type_text: Fixed<string>;
    answer: Fixed<string>;
    answer_sha256: Fixed<Buffer>;
  };
}
