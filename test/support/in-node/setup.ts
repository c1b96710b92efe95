import { hashCheaply } from '../../../testing/cheap-hashes.ts';
import { closeNetwork } from './network.ts';

// Vitest runs this file before each test file; the module of the network is made once, so it does not wrap itself.
closeNetwork();
hashCheaply();
