import type { ReactNode } from 'react';
import type { ActionName, OperatorInput } from '#shared/contract/operator/calls.ts';

/** What an operator enters for an action besides the reason. Values are texts; a tick is `yes` or empty, ticks are the chosen values with spaces between, a file is its text, `text` several lines. */
export interface ActionField {
  name: string;
  label: string;
  /** A line of text when not given. */
  kind?: 'number' | 'day' | 'choice' | 'tick' | 'ticks' | 'text' | 'file';
  choices?: readonly { value: string; label: string; hint?: string }[];
  hint?: string;
  initial?: string;
  isOptional?: boolean;
}

/** The chosen values of a field of ticks. */
export const tickedIn = (value: string): string[] => value.split(' ').filter((each) => each !== '');

type Values = (field: string) => string;

/** An action as it is offered: what is asked for, and how the input of its call is made of that. */
export interface Action {
  call: ActionName;
  /** Of the dialog, and of the button that opens it: "Grant a plan". */
  title: string;
  /** Of the button that does it: "Grant". */
  verb: string;
  about?: ReactNode;
  isDangerous?: boolean;
  /** The key that opens it. */
  letter?: string;
  fields?: readonly ActionField[];
  /** Goes to the audit log; the operator is not asked for one then. */
  reason?: string;
  input: (value: Values) => unknown;
}

/** Declares an action; its input has the type of its call. */
export const actionOf = <Name extends ActionName>(
  action: Omit<Action, 'call' | 'input'> & { call: Name; input: (value: Values) => OperatorInput<Name> },
): Action => action;
