import { createContext, use } from 'react';
import { useParams } from 'react-router';
import { integrationPaths, type IntegrationPaths } from '../../paths.ts';
import { EnvironmentContext, useEnvironment } from './environment.ts';

/** Whose tabs are shown: the owner’s own, or the same ones to an administrator who looks as the owner and can change nothing. */
export type OwnerView = { readonly below: string; readonly readOnly: boolean };

export const OwnerViewContext = createContext<OwnerView>({ below: '/integrations', readOnly: false });

/** The addresses of the tabs of the integration that is shown. They keep the reader’s environment. */
export function useIntegrationPaths(): IntegrationPaths {
  const { slug = '' } = useParams();
  const { below } = use(OwnerViewContext);
  const { several } = use(EnvironmentContext);
  const [environment] = useEnvironment();
  return integrationPaths(slug, { below, kept: several ? { environment } : {} });
}

/** Whether the reader can only look. Every act on an owner’s page is then left out. */
export function useReadOnly(): boolean {
  return use(OwnerViewContext).readOnly;
}

/** The same tabs below the administrators’ address, where nothing can be changed. */
export const lookingAsOwner: OwnerView = { below: '/admin/integrations', readOnly: true };
