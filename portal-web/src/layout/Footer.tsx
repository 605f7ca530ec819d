import { Anchor, Container } from '@mantine/core';
import { Link } from 'react-router';
import { useFrame } from '../graphql/useFrame.ts';
import { paths } from '../paths.ts';
import classes from './Footer.module.css';

/** What every page ends with: where to read, whom to ask, how the service is, and which release this is. */
export function Footer() {
  const [{ data }] = useFrame();
  const contact = data?.service.supportContact;
  return (
    <footer className={classes.footer}>
      <Container size={1200} px={{ base: 16, sm: 24 }} className={classes.list}>
        <Anchor component={Link} to={paths.docs} inherit>
          Documentation
        </Anchor>
        <Anchor href={paths.openApi} inherit>
          OpenAPI description
        </Anchor>
        {/* The guide names the contact too: until it has been read here, the link leads there, and nothing moves. */}
        <Anchor href={contact?.url ?? `${paths.guide('help')}#ask-a-person`} title={contact?.text} inherit>
          Support
        </Anchor>
        <Anchor component={Link} to={`${paths.guide('help')}#is-the-service-up`} inherit>
          Service status
        </Anchor>
        <span>
          Version {import.meta.env.VITE_VERSION} (
          <Anchor component={Link} to={paths.guide('changelog')} inherit>
            changelog
          </Anchor>
          )
        </span>
      </Container>
    </footer>
  );
}
