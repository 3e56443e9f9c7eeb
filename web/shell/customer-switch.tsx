import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { Button, Menu } from '@mantine/core';
import { ChevronsUpDown } from 'lucide-react';
import { listMyCustomers, openOwnCustomer, switchCustomer } from '#shared/contract/members.ts';
import { useAction, useCall } from '#web/api/use-call.ts';
import { roleTexts as texts } from '#web/roles/texts.ts';
import { enterCustomer } from '#web/session/enter-customer.ts';
import classes from '#web/shell/customer-switch.module.css';
import { notifyFailure } from '#web/ui/notify.tsx';

function useSwitch(path: string) {
  return useAction(switchCustomer, {
    onDone: ({ accessToken }) => enterCustomer(accessToken, path),
    onFailed: (failure) => notifyFailure(texts.switchFailed, failure.message),
  });
}

/** Where one is, and one’s other customers. */
export function CustomerSwitch() {
  const mine = useCall(listMyCustomers, {}).data;
  const customers = mine?.customers ?? [];
  const { run, running } = useSwitch('/marketplace');
  const opening = useAction(openOwnCustomer, {
    onDone: ({ accessToken }) => enterCustomer(accessToken, '/marketplace'),
    onFailed: (failure) => notifyFailure(texts.openOwnFailed, failure.message),
  });
  const current = customers.find(({ isCurrent }) => isCurrent);
  if (customers.length < 2 || current === undefined) return null;
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          className={classes['switch'] ?? ''}
          variant="default"
          size="xs"
          disabled={running}
          rightSection={<ChevronsUpDown size={14} aria-hidden="true" />}
          aria-label={texts.switchFrom(current.customerName)}
        >
          <span className={classes['name']}>{current.customerName}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.accounts}</Menu.Label>
        {customers.map(({ customerId, customerName, role, isCurrent }) => (
          <Menu.Item
            key={customerId}
            disabled={isCurrent}
            onClick={() => void run({ params: { customerId } })}
            rightSection={<span className="caption soft">{texts.names[role]}</span>}
          >
            {customerName}
          </Menu.Item>
        ))}
        {mine?.mayOpenOwn === true ? (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => void opening.run({})}>{texts.openOwn}</Menu.Item>
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Where a page of a customer isn’t found: it may belong to another customer of the person. */
export function OtherCustomers({ path }: { path: string }) {
  const customers = useCall(listMyCustomers, {}).data?.customers ?? [];
  const { run, running } = useSwitch(path);
  const others = customers.filter(({ isCurrent }) => !isCurrent);
  if (others.length === 0) return null;
  return (
    <div className={classes['others']}>
      <p className="soft">{texts.elsewhere}</p>
      {others.map(({ customerId, customerName }) => (
        <Button
          key={customerId}
          variant="default"
          disabled={running}
          onClick={() => void run({ params: { customerId } })}
        >
          {texts.openIn(customerName)}
        </Button>
      ))}
    </div>
  );
}
