package web

import (
	"sync"
	"sync/atomic"
)

// PerRevision keeps what was made of the latest revision of something. The zero value is empty.
type PerRevision[T any] struct {
	latest atomic.Pointer[snapshot[T]]
}

type snapshot[T any] struct {
	revision uint64
	value    T
}

// Revised is what changes and counts how often, such as a registry.
type Revised interface{ Revision() uint64 }

// Get returns the value for what it is made of, making it if that has changed. Several goroutines may make
// it at once; any of their values will do.
func (p *PerRevision[T]) Get(r Revised, build func() (T, error)) (T, error) {
	revision := r.Revision()
	if s := p.latest.Load(); s != nil && s.revision == revision {
		return s.value, nil
	}
	value, err := build()
	if err == nil {
		p.latest.Store(&snapshot[T]{revision, value})
	}
	return value, err
}

// Latest keeps the documents of the latest revision of something by a key. The zero value is empty.
type Latest[K comparable] struct {
	caches PerRevision[*Cache[K]]
}

// Get returns the document of the key, making it if it isn't there or what it is made of has changed.
func (l *Latest[K]) Get(r Revised, key K, build func() (*Document, error)) (*Document, error) {
	documents, err := l.caches.Get(r, func() (*Cache[K], error) { return &Cache[K]{}, nil })
	if err != nil {
		return nil, err
	}
	return documents.Get(key, build)
}

// cacheSize bounds the bytes of the documents in a [Cache]: clients choose the keys.
const cacheSize = 4 << 20

// Cache keeps documents by a key, as many as fit. The zero value is empty. It is safe for concurrent use.
type Cache[K comparable] struct {
	mu        sync.RWMutex
	documents map[K]*Document
	size      int
}

// Get returns the document of the key, making it if it isn't there.
func (c *Cache[K]) Get(key K, build func() (*Document, error)) (*Document, error) {
	c.mu.RLock()
	d := c.documents[key]
	c.mu.RUnlock()
	if d != nil {
		return d, nil
	}
	d, err := build()
	if err == nil && d.Size() <= cacheSize {
		c.put(key, d)
	}
	return d, err
}

// put makes room by dropping what the map offers first: nobody can choose what that is.
func (c *Cache[K]) put(key K, d *Document) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(key)
	for other := range c.documents {
		if c.size+d.Size() <= cacheSize {
			break
		}
		c.drop(other)
	}
	if c.documents == nil {
		c.documents = map[K]*Document{}
	}
	c.documents[key] = d
	c.size += d.Size()
}

func (c *Cache[K]) drop(key K) {
	if d, ok := c.documents[key]; ok {
		delete(c.documents, key)
		c.size -= d.Size()
	}
}
