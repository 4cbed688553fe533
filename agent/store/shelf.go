package store

import (
	"container/list"
	"iter"
	"time"
)

// shelf orders things by when they were put on it, and tells which of them have to go.
type shelf[T any] struct {
	count, bytes int
	age          time.Duration
	size         int
	order        *list.List // of *shelved[T], oldest first
	places       map[string]*list.Element
}

type shelved[T any] struct {
	id    string
	thing T
	size  int
	since time.Time
}

func newShelf[T any](count, bytes int, age time.Duration) shelf[T] {
	return shelf[T]{count: count, bytes: bytes, age: age, order: list.New(), places: map[string]*list.Element{}}
}

// put adds a thing, or moves it to the end, and yields what then has no more room. The thing itself stays.
func (s *shelf[T]) put(id string, thing T, size int) iter.Seq[T] {
	s.drop(id)
	s.places[id] = s.order.PushBack(&shelved[T]{id, thing, size, time.Now()})
	s.size += size
	return func(yield func(T) bool) {
		for s.order.Len() > 1 && (s.order.Len() > s.count || s.size > s.bytes || s.old(s.order.Front())) {
			oldest := s.take(s.order.Front())
			if !yield(oldest.thing) {
				return
			}
		}
	}
}

// drop takes a thing away if it is there.
func (s *shelf[T]) drop(id string) {
	if place, ok := s.places[id]; ok {
		s.take(place)
	}
}

// expired tells whether a thing on the shelf is too old.
func (s *shelf[T]) expired(id string) bool {
	place, ok := s.places[id]
	return ok && s.old(place)
}

func (s *shelf[T]) old(place *list.Element) bool { return time.Since(entry[T](place).since) > s.age }

func (s *shelf[T]) take(place *list.Element) *shelved[T] {
	e := entry[T](place)
	s.order.Remove(place)
	delete(s.places, e.id)
	s.size -= e.size
	return e
}

func entry[T any](place *list.Element) *shelved[T] {
	e, _ := place.Value.(*shelved[T])
	return e
}
