import { Button, Skeleton } from '@mantine/core';
import { ArrowRight, BookOpen, Package, Webhook } from 'lucide-react';
import { Link } from 'react-router';
import { type Activation, listActivatedServices, listActivations } from '#shared/contract/activations.ts';
import { type Product, listProducts } from '#shared/contract/marketplace.ts';
import type { CallReply } from '#shared/contract/call.ts';
import { useCall } from '#web/api/use-call.ts';
import classes from '#web/features/activations/developers-page.module.css';
import { developersTexts as texts } from '#web/features/activations/texts.ts';
import { TodaysUse } from '#web/features/activations/todays-use.tsx';
import { refusedText } from '#web/features/cycles/refused-text.ts';
import { dayOfInstant, dayText } from '#web/ui/localized-days.ts';
import { useGuidesLink } from '#web/shell/guides-link.ts';
import { shellTexts } from '#web/shell/texts.ts';
import { LinkRow, LinkRows } from '#web/ui/link-card.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { ProductMark } from '#web/ui/product-mark.tsx';
import { Section } from '#web/ui/section.tsx';
import { EmptyState, Loaded, Loading, StateCard } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { useToday } from '#web/ui/today.ts';
import { IfMay } from '#web/roles/if-may.tsx';

type ActivatedService = CallReply<typeof listActivatedServices>[number];

/** The Developer Portal: activated services, and those that could be activated (product §2.22). */
export function DevelopersPage() {
  const services = useCall(listActivatedServices, {});
  const activations = useCall(listActivations, {});
  const products = useCall(listProducts, {});
  const guides = useGuidesLink();
  const shape = <Skeleton height={148} radius="lg" />;
  return (
    <>
      <PageHead
        title={texts.title}
        lead={texts.lead}
        actions={
          <>
            {guides === undefined ? null : (
              <Button component="a" variant="default" leftSection={<BookOpen size={16} aria-hidden />} {...guides}>
                {shellTexts.guides}
              </Button>
            )}
            <IfMay call="listWebhooks">
              <Button
                component={Link}
                to="/developers/webhooks"
                variant="default"
                leftSection={<Webhook size={16} aria-hidden />}
              >
                {texts.webhooks}
              </Button>
            </IfMay>
          </>
        }
      />
      <Section title={texts.activated}>
        <Loaded of={services} word={texts.activatedLoading} failed={texts.activatedFailed} shape={shape}>
          {(all) =>
            activations.isPending ? (
              <Loading word={texts.activatedLoading}>{shape}</Loading>
            ) : (
              <Activated services={all} activations={activations.data?.activations ?? []} />
            )
          }
        </Loaded>
      </Section>
      <Section
        title={texts.marketplace}
        end={
          <Link className="link caption" to="/marketplace">
            {texts.openMarketplace}
            <ArrowRight size={15} aria-hidden="true" />
          </Link>
        }
      >
        <Loaded of={products} word={texts.marketplaceLoading} failed={texts.marketplaceFailed} shape={shape}>
          {(all) => <OnOffer products={all} />}
        </Loaded>
      </Section>
    </>
  );
}

function Activated({
  services,
  activations,
}: {
  services: readonly ActivatedService[];
  activations: readonly Activation[];
}) {
  if (services.length === 0) {
    return (
      <StateCard>
        <EmptyState
          icon={<Package size={20} />}
          title={texts.activatedNone}
          action={
            <Button component={Link} to="/marketplace" variant="default">
              {texts.openMarketplace}
            </Button>
          }
        >
          {texts.activatedNoneMore}
        </EmptyState>
      </StateCard>
    );
  }
  return (
    <LinkRows>
      {services.map((service) => (
        <ServiceRow key={service.id} service={service} activation={activations.find(({ id }) => id === service.id)} />
      ))}
    </LinkRows>
  );
}

function ServiceRow({ service, activation }: { service: ActivatedService; activation: Activation | undefined }) {
  const dailyUse = activation?.dailyUse ?? null;
  const refused = refusedText(activation?.callsRefused ?? null, useToday());
  return (
    <LinkRow to={`/api/${service.id}`} columns="minmax(0, 1.5fr) .6fr .6fr 1fr">
      <div className={classes.name}>
        <ProductMark of={service} />
        <div>
          <h3>{service.name}</h3>
          <div className="mono dim">{service.id}</div>
          {refused === undefined ? null : <div className={classes.refused}>{refused}</div>}
        </div>
      </div>
      <div className={classes.fact}>
        <div>{texts.enabled}</div>
        <span className="num">{dayText(dayOfInstant(service.enabledAt))}</span>
      </div>
      <div className={classes.fact}>
        <div>{texts.status}</div>
        <StatusBadge
          status={service.isActive ? 'ACTIVE' : 'INACTIVE'}
          text={service.isActive ? texts.active : texts.inactive}
          isMuted={refused !== undefined}
        />
      </div>
      {dailyUse === null ? (
        <span />
      ) : (
        <div className={classes.use}>
          <TodaysUse service={service.name} use={dailyUse} />
        </div>
      )}
    </LinkRow>
  );
}

function OnOffer({ products }: { products: readonly Product[] }) {
  return (
    <LinkRows>
      {products.map(({ id, name, mark, description, plans }) => (
        <LinkRow key={id} to={`/marketplace/${id}`} columns="minmax(0, 1fr) auto">
          <div className={classes.name}>
            <ProductMark of={{ name, mark }} />
            <div>
              <h3>{name}</h3>
              <div className="soft">{description}</div>
            </div>
          </div>
          <span className={classes.free}>{plans.some(({ total }) => total === 0) ? texts.freePlan : null}</span>
        </LinkRow>
      ))}
    </LinkRows>
  );
}
