import { startPages } from '../layout/start-pages.tsx';
import { createPages } from './router.tsx';

startPages(createPages, ['/sign-up']);
