import type { Account, Accounts } from '#ship/standins/google/accounts.ts';
import type { TokenFault } from '#ship/standins/google/id-token.ts';
import type { SigningKeys } from '#ship/standins/google/keys.ts';

export type GoogleParts = {
  clientId: string;
  issuer: string;
  accounts: Accounts;
  keys: SigningKeys;
  /** Own base address; known once the port is. */
  url(): string;
  sign(request: {
    account: Account;
    nonce: string | undefined;
    claims?: Record<string, unknown> | undefined;
    clientId?: string | undefined;
    fault?: TokenFault | undefined;
  }): Promise<string>;
};
