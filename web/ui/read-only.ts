import { createContext, type ReactElement } from 'react';
import type { MemberCallName } from '#shared/policies/members/rights.ts';

/** Puts the reason around a button that can't be used. */
type Explain = (button: ReactElement) => ReactElement;

/** Where nothing can be changed; null where everything can. */
export const ReadOnly = createContext<Explain | null>(null);

/** Around the buttons of calls that the role of the person may not make; null for a call that it may. */
export const RoleLimits = createContext<(call: MemberCallName) => Explain | null>(() => null);
