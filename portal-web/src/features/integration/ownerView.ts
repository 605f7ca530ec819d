import { createContext, use } from 'react';
import { useParams } from 'react-router';
import { integrationPaths, pages, type IntegrationPaths } from '../../paths.ts';
import { EnvironmentContext, useEnvironment } from './environment.ts';

/** Whose tabs are shown: the owner’s own, or the same ones to an administrator who looks as the owner and can change nothing. */
type OwnerView = { readonly at: typeof pages.integration | typeof pages.adminIntegration; readonly readOnly: boolean };

export const OwnerViewContext = createContext<OwnerView>({ at: pages.integration, readOnly: false });

/** The addresses of the tabs of the integration that is shown. They keep the reader’s environment. */
export function useIntegrationPaths(): IntegrationPaths {
  const { slug = '' } = useParams();
  const { at } = use(OwnerViewContext);
  const { several } = use(EnvironmentContext);
  const [environment] = useEnvironment();
  return integrationPaths(slug, { at, kept: several ? { environment } : {} });
}

/** Whether the reader can only look. Every act on an owner’s page is then left out. */
export function useReadOnly(): boolean {
  return use(OwnerViewContext).readOnly;
}

/** The same tabs below the administrators’ address, where nothing can be changed. */
export const lookingAsOwner: OwnerView = { at: pages.adminIntegration, readOnly: true };
