import type { operatorTeamCalls } from '#shared/contract/operator/operators.ts';
import type { Handlers } from '#server/operator-handler.ts';
import {
  addDomain,
  addOperator,
  changeOperator,
  listTeam,
  previewChange,
  previewDomain,
  removeDomain,
} from './team.ts';

export const operatorTeamHandlers: Handlers<typeof operatorTeamCalls> = {
  listOperators: { read: ({ db }) => listTeam(db) },
  addOperator: {
    needs: 'database',
    preview: ({ db }, wanted) => previewChange(db, wanted, true),
    perform: addOperator,
  },
  changeOperator: {
    needs: 'database',
    preview: ({ db }, wanted) => previewChange(db, wanted, false),
    perform: changeOperator,
  },
  removeOperator: {
    needs: 'database',
    preview: ({ db }, { email }) => previewChange(db, { email, role: null }, false),
    perform: (source, { email }, cause) => changeOperator(source, { email, role: null }, cause),
  },
  addOperatorDomain: {
    needs: 'database',
    preview: ({ db }, { domain, role }) => previewDomain(db, domain, role),
    perform: addDomain,
  },
  removeOperatorDomain: {
    needs: 'database',
    preview: ({ db }, { domain }) => previewDomain(db, domain, null),
    perform: (source, { domain }, cause) => removeDomain(source, domain, cause),
  },
};
