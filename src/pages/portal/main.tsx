import { startPages } from '../frame/start-pages.tsx';
import { createPages } from './router.tsx';

startPages(createPages, ['/invitation', '/reset-password']);
