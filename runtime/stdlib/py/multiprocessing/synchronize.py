"""Locks."""

from threading import BoundedSemaphore, Condition, Event, Lock, RLock, Semaphore
