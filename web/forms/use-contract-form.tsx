import { type GetInputPropsReturnType, type UseFormReturnType, useForm } from '@mantine/form';
import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { z } from 'zod';
import type { Call, CallInput, CallReply } from '#shared/contract/call.ts';
import type { RefusalCode } from '#shared/contract/refusals.ts';
import { type CallFailure, Refused } from '#web/api/failures.ts';
import { useAction } from '#web/api/use-call.ts';
import { type Faults, type FormFields, faultsOfBody, faultsOfProblem } from '#web/forms/contract-faults.ts';
import { FieldFault } from '#web/forms/field-fault.tsx';
import { useKeptInput } from '#web/forms/kept-input.ts';
import { useLanguage } from '#web/language/use-language.ts';
import { notifyFailure } from '#web/ui/notify.tsx';

interface ContractFormOptions<C extends Call, Values> extends FormFields<Values> {
  /** The call's input for the values in the form. */
  input: (values: Values) => CallInput<C>;
  /** Checks beyond the contract's schema; their messages replace its own. */
  faults?: (values: Values) => Faults<Values>;
  /** The field that a refusal is about. */
  fieldOfRefusal?: (code: RefusalCode) => (keyof Values & string) | undefined;
  /** Validates a field when it loses focus too, not only when the form is submitted. */
  validatesOnBlur?: boolean;
  onValuesChange?: (values: Values) => void;
  /** The calls whose cached replies become stale. */
  changes: readonly Pick<Call, 'name'>[];
  /** As that of `useAction`. */
  subject?: string;
  onDone: (reply: CallReply<C>, values: Values) => void;
  /** `isPlaced`: the message is shown at a field. By default, other failures are notifications. */
  onFailed?: (failure: CallFailure, isPlaced: boolean) => void;
}

type FieldProps = GetInputPropsReturnType & { description?: ReactNode };

/** The state of a form, for `ContractForm` and its fields. */
export interface ContractFormState<Values> {
  form: UseFormReturnType<Values>;
  /** Of the <form>. */
  id: string;
  /** The props of a field. Its error replaces the hint. */
  field: (name: keyof Values & string, hint?: ReactNode) => FieldProps;
  running: boolean;
  submit: (event: SyntheticEvent<HTMLFormElement>) => void;
}

/**
 * A form for a call of the contract: validated by the contract's schema, with server errors at their fields and the focus on the
 * first invalid field. A failed call loses no input, and neither does the end of the session.
 */
export function useContractForm<C extends Call & { body: z.ZodObject }, Values extends Record<string, unknown>>(
  definition: C,
  options: ContractFormOptions<C, Values>,
): ContractFormState<Values> {
  const id = useId();
  const wantsFocus = useRef(false);
  const faultsOf = (values: Values): Faults<Values> => {
    const input: { body?: unknown } = options.input(values);
    return { ...faultsOfBody(definition.body, input.body, options), ...options.faults?.(values) };
  };
  const form = useForm<Values>({
    initialValues: options.initialValues,
    validate: faultsOf,
    validateInputOnBlur: options.validatesOnBlur === true,
    ...(options.onValuesChange && { onValuesChange: options.onValuesChange }),
    enhanceGetInputProps: ({ inputProps: { error }, field }) => ({
      name: field,
      error: typeof error === 'string' ? <FieldFault>{error}</FieldFault> : error,
    }),
  });
  const { params }: { params?: unknown; body?: unknown } = options.input(options.initialValues);
  useKeptInput(form, `${definition.name} ${JSON.stringify(params ?? {})}`);
  const sent = useRef(options.initialValues);
  const action = useAction(definition, {
    changes: options.changes,
    subject: options.subject,
    onDone: (reply) => {
      // The guards must know that the form is saved before the page changes.
      flushSync(() => form.resetDirty(sent.current));
      options.onDone(reply, sent.current);
    },
    onFailed: (failure) => {
      const faults = failure instanceof Refused ? faultsOfRefusal(failure, options) : {};
      const isPlaced = Object.keys(faults).length > 0;
      if (isPlaced) {
        wantsFocus.current = true;
        form.setErrors(faults);
      }
      if (options.onFailed !== undefined) options.onFailed(failure, isPlaced);
      else if (!isPlaced) notifyFailure(failure.message);
    },
  });

  // What the form found wrong is said in the language of the page; what the server said comes with its next response.
  const language = useLanguage();
  const saidIn = useRef(language);
  useEffect(() => {
    if (saidIn.current === language) return;
    saidIn.current = language;
    const { errors } = form;
    if (Object.keys(errors).length === 0) return;
    const now = new Map<string, unknown>(Object.entries(faultsOf(form.values)));
    form.setErrors(
      Object.fromEntries(Object.entries(errors).map(([name, error]) => [name, wordOf(now.get(name)) ?? error])),
    );
  });

  // After the errors are rendered: a collapsed section with an error is open by then.
  useEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    focusFirst(document.getElementById(id), form.errors);
  });

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    const send = form.onSubmit(
      (values) => {
        sent.current = values;
        void action.run(options.input(values));
      },
      () => {
        wantsFocus.current = true;
      },
    );
    send(event);
  }

  function field(name: keyof Values & string, hint?: ReactNode): FieldProps {
    const props = form.getInputProps(name);
    return props.error === undefined && hint !== undefined ? { ...props, description: hint } : props;
  }

  return { form, id, field, running: action.running, submit };
}

function faultsOfRefusal<C extends Call, Values extends object>(
  { code, message, problem }: Refused,
  options: ContractFormOptions<C, Values>,
): Faults<Values> {
  const faults = faultsOfProblem(problem, options);
  const field = options.fieldOfRefusal?.(code);
  if (field !== undefined) faults[field] ??= message;
  return faults;
}

const wordOf = (fault: unknown): string | undefined => (typeof fault === 'string' ? fault : undefined);

/** Focuses the first invalid field, in the order of the page. */
function focusFirst(form: HTMLElement | null, faults: Readonly<Record<string, unknown>>): void {
  for (const place of form?.querySelectorAll<HTMLElement>('[data-path]') ?? []) {
    if (faults[place.dataset['path'] ?? ''] === undefined) continue;
    const control = place.matches(controls) ? place : place.querySelector<HTMLElement>(controls);
    control?.focus();
    return;
  }
}

const controls = 'input:not([type=hidden]), textarea, select';
