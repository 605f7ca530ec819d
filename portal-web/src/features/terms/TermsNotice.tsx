import { Anchor, Text } from '@mantine/core';
import { IconFileCertificate } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { paths } from '../../paths.ts';
import type { Viewer } from '../session/SessionContext.ts';
import classes from './TermsNotice.module.css';

/**
 * Shown above every page to operators who have accepted only earlier terms. It says what has to wait until they accept the current ones.
 */
export function TermsNotice({ viewer }: { viewer: Viewer }) {
  const { pathname } = useLocation();
  if (viewer.termsToAccept === null || pathname === paths.acceptTerms) return null;
  return (
    <div className={classes.root} role="status">
      <IconFileCertificate size={20} aria-hidden />
      <Text component="p">
        <strong>Version {viewer.termsToAccept} of the Integration Terms is waiting for your acceptance.</strong> Until you accept it, you
        cannot create, submit or activate an integration. Active integrations keep running.{' '}
        <Anchor component={Link} to={paths.acceptTerms} inherit>
          Read and accept
        </Anchor>
      </Text>
    </div>
  );
}
