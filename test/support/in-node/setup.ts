import { hashCheaply } from '../../../testing/cheap-hashes.ts';
import { closeNetwork } from './network.ts';

// Vitest runs this before each test file. The network module is loaded only once, so that it does not wrap itself.
closeNetwork();
hashCheaply();
